// C = choose(C, A join B): nearly all of the work of blocked Floyd-Warshall (Katz, Kider 2008, section 3).
#include "dynamic_shared.cuh"
#include "tile.cuh"

namespace apsp {

// A block's part of the work. C overlaps neither A nor B.
template <class Ops>
struct TileUpdate {
  typename Ops::Value* c;
  long long c_stride;
  const typename Ops::Value* a;
  long long a_stride;
  const typename Ops::Value* b;
  long long b_stride;
  Span row, column;
  int depth, one;
  bool aligned, whole;  // every row begins at 16 bytes; and the tile is not cut by an edge
};

// A stage from device to shared memory: rows of A from column `pivot`, rows of B from row `pivot`.
template <class Ops, class S>
__device__ __forceinline__ void load_stage(char* stage, const TileUpdate<Ops>& in, int pivot) {
  using Size = Sizes<Ops, S>;
  constexpr int kLeftCount = S::kRows / S::kLeftStep, kRightCount = Size::kDepth / S::kRightStep;
  const int r = threadIdx.x / S::kLeftVectors, q = threadIdx.x % S::kLeftVectors;
  const int s = threadIdx.x / S::kRightVectors, t = threadIdx.x % S::kRightVectors;
  const typename Ops::Value* a = in.a + (in.row.from + r) * in.a_stride + pivot + q * Size::kVector;
  const typename Ops::Value* b = in.b + (pivot + s) * in.b_stride + in.column.from + t * Size::kVector;
  char* left = stage + r * S::kLeftPitch + q * 16;
  char* right = stage + S::kLeftBytes + threadIdx.x * 16;
  if (in.whole && pivot + Size::kDepth <= in.depth) {
#pragma unroll
    for (int i = 0; i < kLeftCount; ++i)
      copy_16_bytes(left + i * S::kLeftStep * S::kLeftPitch, a + i * S::kLeftStep * in.a_stride);
#pragma unroll
    for (int i = 0; i < kRightCount; ++i)
      copy_16_bytes(right + i * S::kThreads * 16, b + i * S::kRightStep * in.b_stride);
  } else {
    const int count_a = in.depth - pivot - q * Size::kVector;
    const int count_b = in.column.to - in.column.from - t * Size::kVector;
#pragma unroll 1
    for (int i = 0; i < kLeftCount;
         ++i, left += S::kLeftStep * S::kLeftPitch, a += S::kLeftStep * in.a_stride)
      stage_vector<Ops>(left, a, in.row.from + r + i * S::kLeftStep < in.row.to ? count_a : 0, in.aligned);
#pragma unroll 1
    for (int i = 0; i < kRightCount; ++i, right += S::kThreads * 16, b += S::kRightStep * in.b_stride)
      stage_vector<Ops>(right, b, pivot + s + i * S::kRightStep < in.depth ? count_b : 0, in.aligned);
  }
}

template <class Ops, class S>
using Own = Vector<Ops>[S::kThreadRows][S::kThreadVectors];

// All pairs of a stage in shared memory, on the entries that this thread owns.
template <class Ops, class S>
__device__ __forceinline__ void relax_stage(Own<Ops, S>& own, const char* left, const char* right, int one) {
  using Value = typename Ops::Value;
  constexpr int kWords = 16 / sizeof(typename Ops::Word);
#pragma unroll
  for (int first = 0; first < Sizes<Ops, S>::kDepth; first += S::kPivots) {
    struct alignas(S::kPivots * sizeof(Value)) Pivots {
      Couple<Value> at[S::kPivots / 2];
    } x[S::kThreadRows];
#pragma unroll
    for (int i = 0; i < S::kThreadRows; ++i)
      x[i] = *reinterpret_cast<const Pivots*>(left + 4 * i * S::kLeftPitch + first * sizeof(Value));
#pragma unroll
    for (int pivot = 0; pivot < S::kPivots; pivot += 2) {
      Vector<Ops> y[2][S::kThreadVectors];
#pragma unroll
      for (int u = 0; u < 2; ++u)
#pragma unroll
        for (int h = 0; h < S::kThreadVectors; ++h)
          y[u][h].raw = *reinterpret_cast<const int4*>(right + (first + pivot + u) * S::kRowBytes + 128 * h);
#pragma unroll
      for (int i = 0; i < S::kThreadRows; ++i) {
        const auto pair = Ops::spread(x[i].at[pivot / 2]);
#pragma unroll
        for (int h = 0; h < S::kThreadVectors; ++h)
#pragma unroll
          for (int j = 0; j < kWords; ++j) {
            const int index = (i * S::kThreadVectors + h) * kWords + j;
            auto& word = own[i][h].word[j];
            if ((index + 1) * S::kMultiplied / 12 != index * S::kMultiplied / 12)
              word = Ops::relax2_multiplied(word, pair.first, y[0][h].word[j], pair.second, y[1][h].word[j],
                                            one);
            else
              word = Ops::relax2(word, pair.first, y[0][h].word[j], pair.second, y[1][h].word[j]);
          }
      }
    }
  }
}

// Where a thread's vectors lie.
template <class Ops, class S>
struct Place {
  int row, column;  // of the first
  __device__ __forceinline__ int row_of(int i) const { return row + 4 * i; }
  __device__ __forceinline__ int column_of(int h) const { return column + 8 * Sizes<Ops, S>::kVector * h; }
  __device__ __forceinline__ int count(const TileUpdate<Ops>& in, int i, int h) const {
    return row_of(i) < in.row.to ? in.column.to - column_of(h) : 0;
  }
};

// Addresses of C are computed when they are needed, not kept in registers from the first use to the last:
// this is the purpose of the empty assembly.
template <class Ops, class S>
__device__ __forceinline__ void read_own(const TileUpdate<Ops>& in, Own<Ops, S>& own, Place<Ops, S> at) {
  asm volatile("" : "+r"(at.row));
#pragma unroll
  for (int i = 0; i < S::kThreadRows; ++i)
#pragma unroll
    for (int h = 0; h < S::kThreadVectors; ++h)
      own[i][h] = load_vector<Ops>(in.c + at.row_of(i) * in.c_stride + at.column_of(h), at.count(in, i, h),
                                   in.aligned);
}

template <class Ops, class S>
__device__ __forceinline__ void write_own(const TileUpdate<Ops>& in, const Own<Ops, S>& own,
                                          Place<Ops, S> at) {
  asm volatile("" : "+r"(at.row));
#pragma unroll
  for (int i = 0; i < S::kThreadRows; ++i)
#pragma unroll
    for (int h = 0; h < S::kThreadVectors; ++h)
      store_vector<Ops>(in.c + at.row_of(i) * in.c_stride + at.column_of(h), own[i][h], at.count(in, i, h),
                        in.aligned);
}

template <class Ops, class S>
__device__ __forceinline__ void update_tile(const TileUpdate<Ops>& in) {
  using Size = Sizes<Ops, S>;
  APSP_DYNAMIC_SHARED(__align__(16) char, shared);
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int own_row = (warp / S::kWarpsAcross) * 4 * S::kThreadRows + (lane >> 3);
  const int own_bytes = (warp % S::kWarpsAcross) * 128 * S::kThreadVectors + (lane & 7) * 16;
  const Place<Ops, S> at = {in.row.from + own_row,
                            in.column.from + own_bytes / int(sizeof(typename Ops::Value))};
  const int stages = (in.depth + Size::kDepth - 1) / Size::kDepth;
#pragma unroll
  for (int stage = 0; stage < S::kStages - 1; ++stage) {
    if (stage < stages) load_stage<Ops, S>(shared + stage * Size::kStageBytes, in, stage * Size::kDepth);
    end_of_stage();
  }

  Own<Ops, S> own;
  read_own<Ops, S>(in, own, at);

  int full = 0, empty = (S::kStages - 1) * Size::kStageBytes;
  for (int stage = 0; stage < stages; ++stage) {
    await_stages<S::kStages - 2>();
    __syncthreads();
    if (stage + S::kStages - 1 < stages)
      load_stage<Ops, S>(shared + empty, in, (stage + S::kStages - 1) * Size::kDepth);
    end_of_stage();
    relax_stage<Ops, S>(own, shared + full + own_row * S::kLeftPitch,
                        shared + full + S::kLeftBytes + own_bytes, in.one);
    full = full + Size::kStageBytes == Size::kStages ? 0 : full + Size::kStageBytes;
    empty = empty + Size::kStageBytes == Size::kStages ? 0 : empty + Size::kStageBytes;
  }
  write_own<Ops, S>(in, own, at);
}

// The derived quantities as computed by Python, which launches and counts tiles by them.
template <int kThreads, int kRows, int kColumns, int kSharedBytes>
struct Launch {
  template <class Ops, class S>
  static constexpr bool kFits = kThreads == S::kThreads && kRows == S::kRows &&
                                kColumns == Sizes<Ops, S>::kColumns && kSharedBytes == Sizes<Ops, S>::kStages;
};

// C = choose(C, A join B), C (rows, columns), A (rows, depth), B (depth, columns), each with its own row
// stride; rows [skip_row, skip_row_to) and columns [skip_column, skip_column_to) of C are not changed. C
// overlaps neither A nor B. `aligned`: every row of the three begins at a multiple of 16 bytes. `one` is 1.
//
// A block owns one tile of C, S::kRows rows of S::kRowBytes, and reads S::kDepthBytes of depth per stage
// through shared memory. A thread owns S::kThreadRows rows (4 apart) of S::kThreadVectors vectors of 16 bytes
// (128 apart) of it, in registers throughout. Read: the tile of C once, as many rows of A and columns
// of B through shared memory. Written: the tile of C once. No race: no other block writes the entries that a
// block reads; a stage is overwritten only after the barrier that follows its last use.
template <class Ops, class S, class L>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    update(typename Ops::Value* __restrict__ c, long long c_stride, const typename Ops::Value* __restrict__ a,
           long long a_stride, const typename Ops::Value* __restrict__ b, long long b_stride, int rows,
           int columns, int depth, int skip_row, int skip_row_to, int skip_column, int skip_column_to,
           int aligned, int one) {
  static_assert(L::template kFits<Ops, S>, "policy.py and tile.cuh disagree");
  const Span row = tile_of(blockIdx.y, S::kRows, rows, skip_row, skip_row_to);
  const Span column = tile_of(blockIdx.x, Sizes<Ops, S>::kColumns, columns, skip_column, skip_column_to);
  const bool whole =
      aligned && row.to - row.from == S::kRows && column.to - column.from == Sizes<Ops, S>::kColumns;
  update_tile<Ops, S>({c, c_stride, a, a_stride, b, b_stride, row, column, depth, one, bool(aligned), whole});
}

}  // namespace apsp
