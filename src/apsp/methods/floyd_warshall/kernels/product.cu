// Products of batches of matrices over a semiring: C = A join B over all pivots, and the pivots that attain
// it.
#include "dynamic_shared.cuh"
#include "staged_tile.cuh"

namespace apsp {

// The public value of a kernel value; `flip`: of (max,+), which is (min,+) of the negative values.
template <class Ops>
__device__ __forceinline__ typename Ops::Value public_value(typename Ops::Value value, int flip) {
  using Value = typename Ops::Value;
  if constexpr (Ops::kSums && !kIsFloat<Value>) {
    // Signed integers: with negative entries "no path" drifts, but not below a quarter of the range.
    constexpr Value kLimit = sizeof(Value) == 2 ? Ops::kNoPath : Ops::kNoPath / 2 + 1;
    if (value >= kLimit) return flip ? Range<Value>::kLeast : Range<Value>::kMost;
  }
  if constexpr (Ops::kSums) return flip ? Value(Value(0) - value) : value;
  return value;
}

template <class Ops>
__device__ __forceinline__ typename Ops::Word public_word(typename Ops::Word word, int flip) {
  using Value = typename Ops::Value;
  if constexpr (Ops::kLanes == 2)
    return public_value<Ops>(Value(word), flip) | unsigned(public_value<Ops>(Value(word >> 16), flip)) << 16;
  else
    return public_value<Ops>(word, flip);
}

template <class Ops>
__device__ __forceinline__ constexpr typename Ops::Word no_path_word() {
  if constexpr (Ops::kLanes == 2) return Ops::kNoPath * 0x10001u;
  return Ops::kNoPath;
}

// C (rows, columns) of every matrix of the batch, from A (rows, depth) and B (depth, columns) in kernel
// values. kStages: `via` gets the stage (Sizes::kDepth pivots) in which the entry got its value, and C stays
// in kernel values, for `locate`; otherwise C is public. `aligned`: every row of A and B begins at a multiple
// of 16 bytes; `aligned_c`: of C. `one` is 1.
//
// A block owns one tile of one matrix: see `update`, whose tile it is, but C is not read. Written: the tile
// of C and of via, once. No race: as there.
template <class Ops, class S, class L, bool kStages>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    product(typename Ops::Value* __restrict__ c, long long c_stride, long long c_matrix,
            const typename Ops::Value* __restrict__ a, long long a_stride, long long a_matrix,
            const typename Ops::Value* __restrict__ b, long long b_stride, long long b_matrix,
            int* __restrict__ via, long long via_stride, long long via_matrix, int rows, int columns,
            int depth, int aligned, int aligned_c, int flip, int one) {
  static_assert(L::template kFits<Ops, S>, "policy.py and tile.cuh disagree");
  static_assert(!kStages || Ops::kLanes == 1, "a stage per word");
  using Size = Sizes<Ops, S>;
  constexpr int kWords = 16 / sizeof(typename Ops::Word);
  const Span row = tile_of(blockIdx.y, S::kRows, rows, 0, 0);
  const Span column = tile_of(blockIdx.x, Size::kColumns, columns, 0, 0);
  const bool whole = aligned && row.to - row.from == S::kRows && column.to - column.from == Size::kColumns;
  TileUpdate<Ops> in = {c + blockIdx.z * c_matrix,
                        c_stride,
                        a + blockIdx.z * a_matrix,
                        a_stride,
                        b + blockIdx.z * b_matrix,
                        b_stride,
                        row,
                        column,
                        depth,
                        one,
                        bool(aligned),
                        whole};
  APSP_DYNAMIC_SHARED(__align__(16) char, shared);
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int own_row = (warp / S::kWarpsAcross) * 4 * S::kThreadRows + (lane >> 3);
  const int own_bytes = (warp % S::kWarpsAcross) * 128 * S::kThreadVectors + (lane & 7) * 16;
  const Place<Ops, S> at = {row.from + own_row, column.from + own_bytes / int(sizeof(typename Ops::Value))};
  const int stages = (depth + Size::kDepth - 1) / Size::kDepth;
#pragma unroll
  for (int stage = 0; stage < S::kStages - 1; ++stage) {
    if (stage < stages) load_stage<Ops, S>(shared + stage * Size::kStageBytes, in, stage * Size::kDepth);
    end_of_stage();
  }

  Own<Ops, S> own;
  int number[kStages ? S::kThreadRows : 1][S::kThreadVectors][kWords];
#pragma unroll
  for (int i = 0; i < S::kThreadRows; ++i)
#pragma unroll
    for (int h = 0; h < S::kThreadVectors; ++h)
#pragma unroll
      for (int j = 0; j < kWords; ++j) {
        own[i][h].word[j] = no_path_word<Ops>();
        if constexpr (kStages) number[i][h][j] = 0;
      }

  int full = 0, empty = (S::kStages - 1) * Size::kStageBytes;
  for (int stage = 0; stage < stages; ++stage) {
    await_stages<S::kStages - 2>();
    __syncthreads();
    if (stage + S::kStages - 1 < stages)
      load_stage<Ops, S>(shared + empty, in, (stage + S::kStages - 1) * Size::kDepth);
    end_of_stage();
    const char* left = shared + full + own_row * S::kLeftPitch;
    const char* right = shared + full + S::kLeftBytes + own_bytes;
    if constexpr (kStages) {
      // A stage is recorded only if it improves the value: so this is the first stage that attains it.
      Own<Ops, S> before;
#pragma unroll
      for (int i = 0; i < S::kThreadRows; ++i)
#pragma unroll
        for (int h = 0; h < S::kThreadVectors; ++h) before[i][h] = own[i][h];
      relax_stage<Ops, S>(own, left, right, one);
#pragma unroll
      for (int i = 0; i < S::kThreadRows; ++i)
#pragma unroll
        for (int h = 0; h < S::kThreadVectors; ++h)
#pragma unroll
          for (int j = 0; j < kWords; ++j)
            if (Ops::better(own[i][h].word[j], before[i][h].word[j])) number[i][h][j] = stage;
    } else {
      relax_stage<Ops, S>(own, left, right, one);
    }
    full = full + Size::kStageBytes == Size::kStages ? 0 : full + Size::kStageBytes;
    empty = empty + Size::kStageBytes == Size::kStages ? 0 : empty + Size::kStageBytes;
  }

  if constexpr (kStages) {
    via += blockIdx.z * via_matrix;
#pragma unroll
    for (int i = 0; i < S::kThreadRows; ++i)
#pragma unroll
      for (int h = 0; h < S::kThreadVectors; ++h)
#pragma unroll
        for (int j = 0; j < kWords; ++j)
          if (j < at.count(in, i, h)) via[at.row_of(i) * via_stride + at.column_of(h) + j] = number[i][h][j];
  } else {
#pragma unroll
    for (int i = 0; i < S::kThreadRows; ++i)
#pragma unroll
      for (int h = 0; h < S::kThreadVectors; ++h)
#pragma unroll
        for (int j = 0; j < kWords; ++j) own[i][h].word[j] = public_word<Ops>(own[i][h].word[j], flip);
  }
  in.aligned = aligned_c;
  write_own<Ops, S>(in, own, at);
}

// From stages to pivots: via[i, j] = the first pivot of the stage that attains c[i, j], -1 where there is no
// path; and C becomes public.
//
// A thread owns one entry of one matrix. Read: A and B (a stage of a row and of a column), C, via. Written: C
// and via. No race: each entry has one thread.
template <class Ops, int kDepth>
__global__ void locate(typename Ops::Value* c, long long c_stride, long long c_matrix,
                       const typename Ops::Value* __restrict__ a, long long a_stride, long long a_matrix,
                       const typename Ops::Value* __restrict__ b, long long b_stride, long long b_matrix,
                       int* via, long long via_stride, long long via_matrix, int rows, int columns, int depth,
                       int flip) {
  using Value = typename Ops::Value;
  const long long index = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (index >= static_cast<long long>(rows) * columns) return;
  const int row = static_cast<int>(index / columns), column = static_cast<int>(index % columns);
  c += blockIdx.z * c_matrix + row * c_stride + column;
  via += blockIdx.z * via_matrix + row * via_stride + column;
  a += blockIdx.z * a_matrix + row * a_stride;
  b += blockIdx.z * b_matrix + column;
  const Value value = *c;
  const int first = *via * kDepth;
  // All loads of the stage are independent, so that they take the time of one.
  unsigned found = 0;
#pragma unroll
  for (int k = 0; k < kDepth; ++k) {
    const int pivot = min(first + k, depth - 1);
    if (Ops::relax(Ops::kNoPath, a[pivot], b[pivot * b_stride]) == value) found |= 1u << k;
  }
  const Value shown = public_value<Ops>(value, flip);
  const Value none = public_value<Ops>(Ops::kNoPath, flip);
  *via = shown == none ? -1 : first + __ffs(found) - 1;
  *c = shown;
}

// Public values of contiguous rows (rows, columns) to kernel values, each row at a multiple of `stride`.
//
// A thread owns one entry. Read: from. Written: to, but for the rest of its rows. No race: each entry has one
// thread.
template <class T>
__global__ void take_in(const T* __restrict__ from, T* __restrict__ to, long long stride, long long rows,
                        int columns, T none, T kernel_none, int flip) {
  const long long index = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (index >= rows * columns) return;
  const T value = from[index];
  to[index / columns * stride + index % columns] = value == none ? kernel_none
                                                   : flip        ? T(T(0) - value)
                                                                 : value;
}

constexpr int kEmpty = 1, kPath = 2, kNotANumber = 4;

// Of each block's share of `size` entries: the lowest and the highest that is a path (the ends of the range
// if there is none), and which kinds there are.
//
// A thread owns every (256 blocks)-th entry. Read: entries. Written: extremes (blocks, 2), kinds (blocks,).
// No race: warps exchange values in shared memory, before one barrier and behind it.
template <class T>
__global__ void entries(const T* __restrict__ values, long long size, T none, T* extremes, int* kinds) {
  __shared__ T least[8], most[8];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  T low = Range<T>::kMost, high = Range<T>::kLeast;
  int own = 0;
  for (long long index = blockIdx.x * 256ll + threadIdx.x; index < size; index += gridDim.x * 256ll) {
    const T value = values[index];
    if (value != value) {
      own |= kNotANumber;
    } else if (value == none) {
      own |= kEmpty;
    } else {
      own |= kPath;
      low = smaller(low, value);
      high = larger(high, value);
    }
  }
  for (int by = 16; by > 0; by >>= 1) {
    low = smaller(low, __shfl_xor_sync(0xffffffffu, low, by));
    high = larger(high, __shfl_xor_sync(0xffffffffu, high, by));
  }
  if (lane == 0) {
    least[warp] = low;
    most[warp] = high;
  }
  const int empty = __syncthreads_or(own & kEmpty), path = __syncthreads_or(own & kPath);
  const int wrong = __syncthreads_or(own & kNotANumber);
  if (threadIdx.x != 0) return;
  for (int other = 1; other < 8; ++other) {
    low = smaller(low, least[other]);
    high = larger(high, most[other]);
  }
  extremes[2 * blockIdx.x] = low;
  extremes[2 * blockIdx.x + 1] = high;
  kinds[blockIdx.x] = (empty ? kEmpty : 0) | (path ? kPath : 0) | (wrong ? kNotANumber : 0);
}

}  // namespace apsp
