// C = choose(C, A join B): nearly all of the work of blocked Floyd-Warshall (Katz, Kider 2008, section 3).
#include "tile.cuh"

namespace apsp {

// What `update` is given. C overlaps neither A nor B.
template <class Value>
struct Update {
  Value* c;
  long long c_stride;
  const Value* a;
  long long a_stride;
  const Value* b;
  long long b_stride;
  int depth;
};

// A stage from device to shared memory: 128 x 64 bytes of A from column `pivot`, 64 bytes of rows of B.
template <class Ops, bool kInside, bool kAligned>
__device__ __forceinline__ void load_stage(char* left, const Update<typename Ops::Value>& in, Span row,
                                           Span column, int pivot) {
  using S = Shape<Ops>;
  char* right = left + S::kLeftBytes;
  const int thread = threadIdx.x;
  {
    const int r = thread >> 2, q = thread & 3, first = pivot + q * S::kVector;
    const typename Ops::Value* from = in.a + (row.from + r) * in.a_stride + first;
    char* to = left + r * S::kLeftPitch + q * 16;
#pragma unroll
    for (int i = 0; i < 2; ++i, from += 64 * in.a_stride) {
      const int count = kInside ? S::kVector : row.from + r + 64 * i < row.to ? in.depth - first : 0;
      stage_vector<Ops, kInside, kAligned>(to + 64 * i * S::kLeftPitch, from, count);
    }
  }
  const int r = thread >> 5, q = thread & 31, first = column.from + q * S::kVector;
  const typename Ops::Value* from = in.b + (pivot + r) * in.b_stride + first;
  char* to = right + r * S::kRightPitch + q * 16;
#pragma unroll
  for (int i = 0; i < S::kDepth / 8; ++i, from += 8 * in.b_stride) {
    const int count = kInside ? S::kVector : pivot + r + 8 * i < in.depth ? column.to - first : 0;
    stage_vector<Ops, kInside, kAligned>(to + 8 * i * S::kRightPitch, from, count);
  }
}

template <class Ops>
using Own = Vector<Ops>[8][2];

// All pairs of a stage in shared memory, on the entries that this thread owns.
template <class Ops>
__device__ __forceinline__ void relax_stage(Own<Ops>& own, const char* left, const char* right) {
  using S = Shape<Ops>;
  using Value = typename Ops::Value;
  constexpr int kPivots = S::kPivots;
#pragma unroll
  for (int first = 0; first < S::kDepth; first += kPivots) {
    struct alignas(kPivots * sizeof(Value)) Pivots {
      Value value[kPivots];
    } x[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
      x[i] = *reinterpret_cast<const Pivots*>(left + 4 * i * S::kLeftPitch + first * sizeof(Value));
#pragma unroll
    for (int pivot = 0; pivot < kPivots; pivot += 2) {
      Vector<Ops> y[2][2];
#pragma unroll
      for (int u = 0; u < 2; ++u)
#pragma unroll
        for (int h = 0; h < 2; ++h)
          y[u][h] =
              *reinterpret_cast<const Vector<Ops>*>(right + (first + pivot + u) * S::kRightPitch + 128 * h);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const auto x0 = Ops::spread(x[i].value[pivot]), x1 = Ops::spread(x[i].value[pivot + 1]);
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
          for (int j = 0; j < int(16 / sizeof(typename Ops::Word)); ++j)
            own[i][h].word[j] = Ops::relax2(own[i][h].word[j], x0, y[0][h].word[j], x1, y[1][h].word[j]);
      }
    }
  }
}

template <class Ops, bool kInside, bool kAligned>
__device__ __forceinline__ void update_tile(const Update<typename Ops::Value>& in, Span row, Span column) {
  using S = Shape<Ops>;
  using Value = typename Ops::Value;
  extern __shared__ __align__(16) char shared[];
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int own_row = (warp >> 1) * 32 + (lane >> 3);
  const int own_bytes = (warp & 1) * 256 + (lane & 7) * 16;
  const int stages = (in.depth + S::kDepth - 1) / S::kDepth;
#pragma unroll
  for (int stage = 0; stage < S::kStages - 1; ++stage) {
    if (stage < stages)
      load_stage<Ops, kInside, kAligned>(shared + stage * S::kStageBytes, in, row, column, stage * S::kDepth);
    end_of_stage();
  }

  Own<Ops> own;
  const int first = column.from + own_bytes / int(sizeof(Value));
  Value* own_c = in.c + (row.from + own_row) * in.c_stride + first;
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int further = 128 / int(sizeof(Value)) * h;
      const int count = row.from + own_row + 4 * i < row.to ? column.to - first - further : 0;
      own[i][h] = load_vector<Ops, kInside, kAligned>(own_c + 4 * i * in.c_stride + further, count);
    }

  int full = 0, empty = (S::kStages - 1) * S::kStageBytes;
  for (int stage = 0; stage < stages; ++stage) {
    await_stages<S::kStages - 2>();
    __syncthreads();
    if (stage + S::kStages - 1 < stages)
      load_stage<Ops, kInside, kAligned>(shared + empty, in, row, column,
                                         (stage + S::kStages - 1) * S::kDepth);
    end_of_stage();
    relax_stage<Ops>(own, shared + full + own_row * S::kLeftPitch, shared + full + S::kLeftBytes + own_bytes);
    full = full + S::kStageBytes == S::kStages * S::kStageBytes ? 0 : full + S::kStageBytes;
    empty = empty + S::kStageBytes == S::kStages * S::kStageBytes ? 0 : empty + S::kStageBytes;
  }

#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int further = 128 / int(sizeof(Value)) * h;
      const int count = row.from + own_row + 4 * i < row.to ? column.to - first - further : 0;
      store_vector<Ops, kInside, kAligned>(own_c + 4 * i * in.c_stride + further, own[i][h], count);
    }
}

// C = choose(C, A join B), C (rows, columns), A (rows, depth), B (depth, columns), each with its own row
// stride; rows [skip_row, skip_row_to) and columns [skip_column, skip_column_to) of C are left alone. C
// overlaps neither A nor B.
//
// A block owns one tile of C, 128 rows of 512 bytes, and takes 64 bytes of depth a stage through shared
// memory. A thread owns 8 rows (4 apart) of two 16-byte vectors (128 bytes apart) of it, in registers from
// first to last. Read: the tile of C once, 128 rows of A and 512 bytes of each row of B through shared
// memory. Written: the tile of C. No race: no other block writes what a block reads; a stage is overwritten
// only after the barrier behind its last use.
template <class Ops, bool kAligned>
__global__ void __launch_bounds__(256, 2)
    update(typename Ops::Value* __restrict__ c, long long c_stride, const typename Ops::Value* __restrict__ a,
           long long a_stride, const typename Ops::Value* __restrict__ b, long long b_stride, int rows,
           int columns, int depth, int skip_row, int skip_row_to, int skip_column, int skip_column_to) {
  using S = Shape<Ops>;
  const Span row = tile_of(blockIdx.y, S::kRows, rows, skip_row, skip_row_to);
  const Span column = tile_of(blockIdx.x, S::kColumns, columns, skip_column, skip_column_to);
  const Update<typename Ops::Value> in = {c, c_stride, a, a_stride, b, b_stride, depth};
  const bool inside =
      row.to - row.from == S::kRows && column.to - column.from == S::kColumns && depth % S::kDepth == 0;
  if (kAligned && inside)
    update_tile<Ops, true, true>(in, row, column);
  else
    update_tile<Ops, false, kAligned>(in, row, column);
}

}  // namespace apsp
