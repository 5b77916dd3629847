// The steps of a block that computes a tile of C = choose(C, A join B): stages of A and B come into shared
// memory while the tile stays in registers.
#pragma once
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

// The derived quantities as computed by Python, which launches and counts tiles by them.
template <int kThreads, int kRows, int kColumns, int kSharedBytes>
struct Launch {
  template <class Ops, class S>
  static constexpr bool kFits = kThreads == S::kThreads && kRows == S::kRows &&
                                kColumns == Sizes<Ops, S>::kColumns && kSharedBytes == Sizes<Ops, S>::kStages;
};

}  // namespace apsp
