// A block of at most 256 pivots on the diagonal, and its panels: the first steps of Warshall's algorithm.
#include "bits.cuh"

namespace apsp {

constexpr int kPivots = 256, kPivotWords = kPivots / 64;

__device__ __forceinline__ void unite(uint4& own, unsigned mask, const uint4& other) {
  own.x |= mask & other.x;
  own.y |= mask & other.y;
  own.z |= mask & other.z;
  own.w |= mask & other.w;
}

// All ones where bit k is set, else 0: no branch.
__device__ __forceinline__ unsigned mask_of(unsigned word, int k) {
  return static_cast<unsigned>(static_cast<int>(word << (31 - k)) >> 31);
}

// own |= the rows, of 32 in shared memory, that the bits of `word` select.
template <int kVectors>
__device__ __forceinline__ void unite_named(uint4 (&own)[kVectors], unsigned word, const uint4* rows,
                                            int pitch) {
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    const unsigned mask = mask_of(word, k);
#pragma unroll
    for (int i = 0; i < kVectors; ++i) unite(own[i], mask, rows[k * pitch + i]);
  }
}

// Warshall on the 32 words of a warp's lanes; four pivots are fetched at a time, since a shuffle takes longer
// than the operations on its result.
__device__ __forceinline__ unsigned close_words(unsigned word) {
#pragma unroll
  for (int k = 0; k < 32; k += 4) {
    unsigned row[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) row[i] = __shfl_sync(0xffffffffu, word, k + i);
#pragma unroll
    for (int i = 1; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < i; ++j) row[i] |= mask_of(row[i], k + j) & row[j];
#pragma unroll
    for (int i = 0; i < 4; ++i) word |= mask_of(word, k + i) & row[i];
  }
  return word;
}

// Half `i` of a row's words. The loops over words are not unrolled: unrolled, they would be limited by
// instruction fetches.
__device__ __forceinline__ unsigned pick(const Stripe& row, int i) {
  unsigned word = row.half[0];
#pragma unroll
  for (int k = 1; k < 8; ++k) word = i == k ? row.half[k] : word;
  return word;
}

__device__ __forceinline__ Bits word_of(const uint4& vector, int i) {
  return i == 0 ? Bits(vector.y) << 32 | vector.x : Bits(vector.w) << 32 | vector.z;
}

struct Pivots {
  uint4 row[32][2];    // before the step
  unsigned named[32];  // the rows that each row unites with, closed
};

// Warshall on 256 rows of 256 bits, one per thread. A warp closes 32 x 32 bits of its own rows; then all rows
// are united with those that these select, directly or through others.
__device__ __forceinline__ void close_rows(Stripe& own, Pivots (&buffers)[2], int size) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
#pragma unroll 1
  for (int step = 0; 32 * step < size; ++step) {
    Pivots& pivots = buffers[step & 1];
    const unsigned word = pick(own, step);
    if (warp == step) {
      pivots.row[lane][0] = own.vector[0];
      pivots.row[lane][1] = own.vector[1];
      pivots.named[lane] = close_words(word);
    }
    __syncthreads();
    unsigned named = word;
#pragma unroll
    for (int k = 0; k < 32; ++k) named |= mask_of(word, k) & pivots.named[k];
    unite_named(own.vector, named, pivots.row[0], 2);
  }
}

// 128 columns of 256 rows, one row per thread, into T: 32 bytes of each column's row.
__device__ __forceinline__ void store_transposed(unsigned char* t, int pitch, const uint4& own,
                                                 unsigned* shared) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, column = warp & 3, half = warp >> 2;
  unsigned* to = shared + threadIdx.x * 5;  // padded by one, against bank conflicts
  to[0] = own.x;
  to[1] = own.y;
  to[2] = own.z;
  to[3] = own.w;
  __syncthreads();
  uint4 pivots;
  const unsigned* from = shared + (128 * half + lane) * 5 + column;
  pivots.x = transpose_32(from[0], lane);
  pivots.y = transpose_32(from[32 * 5], lane);
  pivots.z = transpose_32(from[64 * 5], lane);
  pivots.w = transpose_32(from[96 * 5], lane);
  *reinterpret_cast<uint4*>(t + (32LL * column + lane) * pitch + 16 * half) = pivots;
}

// Close the block of pivots [start, start + 256) of the page (n, n), relax its rows' words [0, word_to) and
// its columns' rows [row_from, n) through it; and write the transpose of the former into T, unless T is null.
//
// Every block closes the pivots in its own copy; the last one writes them. Each of the first (word_to + 1) /
// 2 owns two words of all pivots' rows, each of the others 128 rows of the pivots' columns. A thread owns one
// row of the pivots, and 128 bits of the result. Read: the pivots, and the entries that are written: page (n,
// words), T (columns, 32 of `pitch` bytes). No race: the pivots may be read partly closed, which does not
// change their closure.
__global__ void __launch_bounds__(256) close_panels(Bits* page, long long stride, int n, int start,
                                                    int word_to, int row_from, unsigned char* t, int pitch) {
  __shared__ Pivots pivots[2];
  __shared__ uint4 strip[kPivots * 2];
  const int thread = threadIdx.x, size = min(kPivots, n - start), size_words = (size + 63) / 64;
  const int first = start / 64, strips = (word_to + 1) / 2;
  Bits* diagonal = page + start * stride + first;
  Stripe own = load_stripe(diagonal + thread * stride, thread < size ? size_words : 0);
  close_rows(own, pivots, size);

  if (blockIdx.x == gridDim.x - 1) {
#pragma unroll
    for (int i = 0; i < kPivotWords; ++i)
      if (thread < size && i < size_words) diagonal[thread * stride + i] = word_of(own.vector[i / 2], i % 2);
  } else if (blockIdx.x < strips) {
    const int word = 2 * blockIdx.x;
    if (word >= first && word < first + size_words) return;
    Bits* row = page + (start + thread) * stride + word;
    const int words = thread < size ? min(word_to - word, 2) : 0;
    uint4 sum[1] = {load_stripe(row, words).vector[0]};
    strip[thread] = sum[0];
    __syncthreads();
#pragma unroll 1
    for (int part = 0; part < 8; ++part) unite_named(sum, pick(own, part), strip + 32 * part, 1);
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if (i < words) row[i] = word_of(sum[0], i);
    if (t == nullptr) return;
    __syncthreads();
    store_transposed(t + 64LL * word * pitch, pitch, sum[0], reinterpret_cast<unsigned*>(strip));
  } else {
    strip[2 * thread] = own.vector[0];
    strip[2 * thread + 1] = own.vector[1];
    __syncthreads();
    const int number = row_from + (blockIdx.x - strips) * 128 + thread / 2, half = thread & 1;
    if (number >= n || (number >= start && number < start + size)) return;
    Bits* row = page + number * stride + first;
    const Stripe before = load_stripe(row, size_words);
    uint4 sum[1] = {half ? before.vector[1] : before.vector[0]};
#pragma unroll 1
    for (int part = 0; part < 8; ++part) unite_named(sum, pick(before, part), strip + 64 * part + half, 2);
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if (2 * half + i < size_words) row[2 * half + i] = word_of(sum[0], i);
  }
}

}  // namespace apsp
