// Bit matrices from arcs, copies of rows by number, and the number of bits that are set.
#include "bits.cuh"

namespace apsp {

__device__ __forceinline__ Bits bit(int column) { return Bits(1) << (column & 63); }

// Write the diagonal and the arcs of vertices row_from + i into the page (rows, words) whose first word holds
// the columns from 64 word_from on.
//
// A block owns one row of the page. Its threads share the row's words, then the row's arcs.
// Read: indptr (n + 1,), indices (m,), zones (n,) or null (they keep no arcs). Written: the row. No race:
// a barrier lies between the zeros and the arcs, which meet in atomics.
__global__ void fill_bits(Bits* page, long long stride, int words, int row_from, int word_from,
                          const long long* indptr, const int* indices, const bool* zones) {
  Bits* row = page + blockIdx.x * stride;
  const int vertex = row_from + blockIdx.x;
  for (int j = threadIdx.x; j < words; j += blockDim.x)
    row[j] = word_from + j == vertex / 64 ? bit(vertex) : 0;
  __syncthreads();
  if (zones != nullptr && zones[vertex]) return;
  for (long long arc = indptr[vertex] + threadIdx.x; arc < indptr[vertex + 1]; arc += blockDim.x) {
    const int head = indices[arc], j = head / 64 - word_from;
    if (j >= 0 && j < words) atomicOr(row + j, bit(head));
  }
}

// Add, for every arc u -> v, the bit of column of_head[v] to row of_tail[u] of the page.
//
// A warp owns the arcs of one vertex, a lane every 32nd of them.
// Read: indptr (n + 1,), indices (m,), of_tail and of_head (n,), negative where the vertex has no row or
// column. Written: the page. No race: atomics; a bit that is seen to be set needs none.
__global__ void add_arcs(Bits* page, long long stride, int n, const long long* indptr, const int* indices,
                         const int* of_tail, const int* of_head) {
  const int vertex = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (vertex >= n || of_tail[vertex] < 0) return;
  Bits* row = page + of_tail[vertex] * stride;
  for (long long arc = indptr[vertex] + (threadIdx.x & 31); arc < indptr[vertex + 1]; arc += 32) {
    const int column = of_head[indices[arc]];
    if (column >= 0 && (row[column / 64] & bit(column)) == 0) atomicOr(row + column / 64, bit(column));
  }
}

// to[i] = from[number[i]], rows of `words` words.
//
// A block owns row i of `to`, a thread every 256th of its words.
// Read: the numbers (rows,), rows of `from`. Written: `to` (rows, words). No race: rows are disjoint.
__global__ void gather_rows(Bits* to, long long to_stride, const Bits* from, long long from_stride,
                            const int* number, int words) {
  const Bits* row = from + number[blockIdx.x] * from_stride;
  for (int j = threadIdx.x; j < words; j += blockDim.x) to[blockIdx.x * to_stride + j] = row[j];
}

// to[number[i]] |= from[i], rows of `words` words; no number comes twice.
//
// A block owns row number[i] of `to`, a thread every 256th of its words.
// Read: the numbers (rows,), `from` (rows, words). Written: those rows. No race: rows are disjoint.
__global__ void unite_into_rows(Bits* to, long long to_stride, const Bits* from, long long from_stride,
                                const int* number, int words) {
  Bits* row = to + number[blockIdx.x] * to_stride;
  for (int j = threadIdx.x; j < words; j += blockDim.x) row[j] |= from[blockIdx.x * from_stride + j];
}

// *total += the bits set in the page (rows, words).
//
// A block owns every gridDim.x-th row, a thread every 256th of its words.
// Read: the page. Written: *total. No race: one atomic per warp.
__global__ void count_bits(const Bits* page, long long stride, int rows, int words, Bits* total) {
  Bits count = 0;
  for (int i = blockIdx.x; i < rows; i += gridDim.x)
    for (int j = threadIdx.x; j < words; j += blockDim.x) count += __popcll(page[i * stride + j]);
  for (int step = 16; step > 0; step >>= 1) count += __shfl_xor_sync(0xffffffffu, count, step);
  if ((threadIdx.x & 31) == 0) atomicAdd(total, count);
}

}  // namespace apsp
