// Conversion of public values to those of the batch kernels and back, with checks for entries that are not
// lengths, arcs that are too long, and negative cycles.
#pragma once
#include "semiring.cuh"

namespace apsp {

// The status of a graph; values from 0 on are a vertex on a negative cycle. As in
// methods/floyd_warshall/batch.py.
constexpr int kSound = -1, kNoNumber = -2, kOutOfRange = -3, kUnproven = -4;

// Shared by the threads of a block.
template <class Word>
struct Meeting {
  Word low[32], high[32];
  int bad_vertex;  // on a negative cycle; kSound while there is none
};

// Extremes of the arcs of a graph and 0: of a thread's part of them, or of all after `merge`.
template <class Ops>
struct Arcs {
  using Value = typename Ops::Value;
  using Word = typename Ops::Single::Word;
  Word low = Word(0), high = Word(0);
  bool bad = false;

  // The kernel value of a public one: "no arc", an arc, or the diagonal, where only a better loop counts.
  __device__ __forceinline__ Word take(Value value, bool diagonal) {
    if constexpr (kIsFloat<Value>) bad = bad || !(value > Range<Value>::kLeast);
    const Word word = Word(value) + Word(0);  // no -0
    const Word none = diagonal ? Word(Ops::kEmptyPath) : Word(Ops::kNoPath);
    if (value == Range<Value>::kMost || (diagonal && !Ops::better(value, Ops::kEmptyPath))) return none;
    low = smaller(low, word);
    high = larger(high, word);
    return word;
  }

  // Merges the values of all threads for all threads; includes a barrier.
  __device__ void merge(Meeting<Word>& shared) {
    for (int other = 16; other > 0; other >>= 1) {
      low = smaller(low, __shfl_xor_sync(0xffffffffu, low, other));
      high = larger(high, __shfl_xor_sync(0xffffffffu, high, other));
    }
    if (threadIdx.x % 32 == 0) {
      shared.low[threadIdx.x / 32] = low;
      shared.high[threadIdx.x / 32] = high;
    }
    bad = __syncthreads_or(bad);
    for (int warp = 0; warp < blockDim.x / 32; ++warp) {
      low = smaller(low, shared.low[warp]);
      high = larger(high, shared.high[warp]);
    }
  }

  __device__ int status(Value largest) const {
    if (bad) return kNoNumber;
    // Sums with "no path" may be lower by up to twice the lowest distance (see apsp.facts.dtypes).
    return high > Word(largest) || low < -Word(largest / 2) ? kOutOfRange : kSound;
  }

  // Whether sums may cancel: floats, some of them negative. The host examines such graphs.
  __device__ bool unproven() const { return Ops::kSums && kIsFloat<Value> && low < Word(0); }
};

// Whether the graph of this block can be closed, broadcast to all threads; its status is the reason if not. A
// barrier.
template <class Ops>
__device__ __forceinline__ bool accept(Arcs<Ops>& arcs, typename Ops::Value largest,
                                       Meeting<typename Arcs<Ops>::Word>& meeting, int* status) {
  if (threadIdx.x == 0) {
    meeting.bad_vertex = kSound;
  }
  arcs.merge(meeting);
  const int found = arcs.status(largest);
  if (found != kSound && threadIdx.x == 0) status[blockIdx.x] = found;
  return found == kSound;
}

// The status of the graph of this block, after a barrier that follows its closing.
template <class Word>
__device__ __forceinline__ void report(const Meeting<Word>& meeting, bool unproven, int* status) {
  if (threadIdx.x == 0)
    status[blockIdx.x] = meeting.bad_vertex == kSound && unproven ? kUnproven : meeting.bad_vertex;
}

// Whether a float distance is that to the predecessor and one arc, up to epsilon times itself (two-sum: no
// digit is lost). Then the distance along k arcs is within k epsilon times the sum of their lengths.
template <class Value>
__device__ __forceinline__ bool link_fits(Value tail, Value weight, Value head) {
  const Value sum = tail + weight, part = sum - tail;
  const Value gap = (head - sum) - ((tail - (sum - part)) + (weight - part));
  const Value allowed = Value(0.98) * Range<Value>::kEpsilon * (head < Value(0) ? -head : head);
  return (gap < Value(0) ? -gap : gap) <= allowed;
}

// After the closing: a graph with paths, whose links do not all fit, is left to the host. A barrier.
template <class Word>
__device__ __forceinline__ void report_links(const Meeting<Word>& meeting, bool fit, int* status) {
  const bool rough = __syncthreads_or(!fit);
  if (rough && threadIdx.x == 0 && meeting.bad_vertex == kSound) status[blockIdx.x] = kUnproven;
}

// A public value of a kernel value.
template <class Ops, class Word>
__device__ __forceinline__ typename Ops::Value published(Word word) {
  using Value = typename Ops::Value;
  if constexpr (Ops::kSums && !kIsFloat<Value>) {
    // Signed integers: with negative arcs "no path" decreases, but not below a quarter of the range.
    const Word least = sizeof(Value) == 2 ? Word(Ops::kNoPath) : Word(Ops::kNoPath / 2 + 1);
    if (word >= least) return Range<Value>::kMost;
  }
  return Value(word);
}

template <class Ops>
__device__ __forceinline__ constexpr typename Ops::Value public_no_path() {
  return Ops::kSums ? Range<typename Ops::Value>::kMost : Ops::kNoPath;
}

}  // namespace apsp
