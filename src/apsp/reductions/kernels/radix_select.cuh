// Selection by rank among places (distance, column) that a block of threads holds (radix selection): a
// histogram per digit, the highest first, of the places that agree in all higher digits.
#pragma once
#include "ordered_keys.cuh"

namespace apsp {

// A place in a row, as a key and a column: ordered by key, equal keys by column.
template <class Key>
struct Bound {
  Key key;
  unsigned column;
  __device__ __forceinline__ bool before(const Bound& other) const {
    return key < other.key || (key == other.key && column < other.column);
  }
};

constexpr int kDigits = 256;  // values of a digit of 8 bits

// In shared memory.
struct Digits {
  alignas(16) int counts[kDigits];
  int chosen, below, inside;  // the digit; the number of places with a smaller one, and with this one
};

// The digit at which `below` and the counts reach `rank`; -1 if they do not. By one warp.
__device__ __forceinline__ void choose_digit(Digits& digits, int below, int rank) {
  constexpr int kOfLane = kDigits / 32;
  const int lane = threadIdx.x, *own = digits.counts + kOfLane * lane;
  int sum = 0;
#pragma unroll
  for (int i = 0; i < kOfLane; ++i) sum += own[i];
  int until = sum;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(~0u, until, step);
    if (lane >= step) until += other;
  }
  if (lane == 0) digits.chosen = -1;
  __syncwarp();
  int before = below + until - sum;
  if (before >= rank || rank > before + sum) return;
  for (int i = 0; i < kOfLane; ++i) {
    if (rank <= before + own[i]) {
      digits.chosen = kOfLane * lane + i;
      digits.below = before;
      digits.inside = own[i];
      return;
    }
    before += own[i];
  }
}

// A bound that at least `rank` and at most `most` (>= rank) places do not exceed; the end of the range if
// there are fewer than `rank`. All threads of a block call it; they are whole warps.
//
//   each     calls visit(place) for every place that this thread holds; all places differ
//   columns  all columns are smaller
template <class T, class Each>
__device__ __forceinline__ auto bound_of(const Each& each, int rank, int most, int columns, Digits& digits) {
  using Key = typename Ordered<T>::Key;
  using Place = Bound<Key>;
  int below = 0, shift = Ordered<T>::kBits, column_shift = 8;
  while (column_shift < 32 && (columns - 1) >> column_shift > 0) column_shift += 8;
  Place bound{0, 0}, fixed{0, column_shift < 32 ? ~0u << column_shift : 0};  // `fixed`: known digits
  while (shift + column_shift > 0) {
    const bool of_key = shift > 0;
    if (of_key)
      shift -= 8;
    else
      column_shift -= 8;
    for (int i = threadIdx.x; i < kDigits; i += blockDim.x) digits.counts[i] = 0;
    __syncthreads();
    each([&](const Place& place) {
      if (((place.key ^ bound.key) & fixed.key) != 0 || ((place.column ^ bound.column) & fixed.column) != 0)
        return;
      const Key part = of_key ? place.key >> shift : Key(place.column >> column_shift);
      atomicAdd(digits.counts + static_cast<int>(part & (kDigits - 1)), 1);
    });
    __syncthreads();
    if (threadIdx.x < 32) choose_digit(digits, below, rank);
    __syncthreads();
    if (digits.chosen < 0) return Place{Ordered<T>::kAll, ~0u};
    below = digits.below;
    if (of_key) {
      bound.key |= Key(digits.chosen) << shift;
      fixed.key |= Key(kDigits - 1) << shift;
    } else {
      bound.column |= static_cast<unsigned>(digits.chosen) << column_shift;
      fixed.column |= static_cast<unsigned>(kDigits - 1) << column_shift;
    }
    if (below + digits.inside <= most) break;
  }
  return Place{bound.key | (Ordered<T>::kAll & ~fixed.key), bound.column | ~fixed.column};
}

}  // namespace apsp
