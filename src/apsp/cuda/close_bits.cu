// Closing a block of the diagonal, at most 256 x 256 bits.
#include "bits.cuh"

namespace apsp {

// own |= the pivots that `word` names, rows of 256 bits in shared memory.
__device__ __forceinline__ void unite(unsigned (&own)[8], unsigned word, const uint4 (*pivots)[2]) {
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    const unsigned mask = 0u - (word >> k & 1u);
    const uint4 low = pivots[k][0], high = pivots[k][1];
    own[0] |= mask & low.x;
    own[1] |= mask & low.y;
    own[2] |= mask & low.z;
    own[3] |= mask & low.w;
    own[4] |= mask & high.x;
    own[5] |= mask & high.y;
    own[6] |= mask & high.z;
    own[7] |= mask & high.w;
  }
}

// Warshall on the first n rows and columns of `page`; bits beyond n are 0.
//
// The only block owns them all. A thread owns one row, in registers; a warp 32 rows, whose pivots it closes
// before the others take them. Read and written: n rows of `page`. No race: pivots pass through two buffers,
// and a barrier lies between the writing and the reading of one, and between its last reading and its next
// writing.
__global__ void __launch_bounds__(256) close_block(Bits* page, long long stride, int n) {
  __shared__ uint4 pivots[2][32][2];
  const int row = threadIdx.x, lane = row & 31, warp = row >> 5;
  unsigned own[8];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    Bits word = 0;
    if (row < n && 64 * i < n) word = page[row * stride + i];
    own[2 * i] = static_cast<unsigned>(word);
    own[2 * i + 1] = static_cast<unsigned>(word >> 32);
  }
#pragma unroll
  for (int step = 0; step < 8; ++step) {
    if (32 * step >= n) break;
    uint4(*shared)[2] = pivots[step & 1];
    if (warp == step) {
      unsigned word = own[step];
#pragma unroll
      for (int k = 0; k < 32; ++k) {
        const unsigned pivot = __shfl_sync(0xffffffffu, word, k);
        if (word >> k & 1) word |= pivot;
      }
      shared[lane][0] = make_uint4(own[0], own[1], own[2], own[3]);
      shared[lane][1] = make_uint4(own[4], own[5], own[6], own[7]);
      __syncwarp();
      unite(own, word, shared);
      __syncwarp();
      shared[lane][0] = make_uint4(own[0], own[1], own[2], own[3]);
      shared[lane][1] = make_uint4(own[4], own[5], own[6], own[7]);
    }
    __syncthreads();
    if (warp != step) unite(own, own[step], shared);
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (row < n && 64 * i < n) page[row * stride + i] = static_cast<Bits>(own[2 * i + 1]) << 32 | own[2 * i];
}

}  // namespace apsp
