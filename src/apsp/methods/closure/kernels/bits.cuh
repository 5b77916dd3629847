// Pieces of the bit kernels: words, tiles of a product, transposing, and the instructions of tensor cores.
#pragma once
#include "async_copy.cuh"

namespace apsp {

using Bits = unsigned long long;  // 64 columns of a row, the lowest first

constexpr int kStages = 4, kStageBytes = (128 + 256) * 64;

// A product C |= A (x) B: strides in words, `pitch` in bytes.
struct Product {
  Bits* c;
  long long c_stride;
  const Bits* a;
  long long a_stride;
  const unsigned char* t;  // the transpose of B, whole tiles of 256 rows
  int pitch;
  int rows, words, depth_words, stages;
  int skip_row, skip_row_to, skip_word, skip_word_to;
};

struct Tile {
  int row, row_to, word, word_to;
};

// Tiles of `length` in [0, size) without [skip, skip_to), and where tile `index` begins and ends.
__device__ __forceinline__ int tiles(int size, int length, int skip, int skip_to) {
  return (skip + length - 1) / length + (size - skip_to + length - 1) / length;
}
__device__ __forceinline__ void place(int index, int length, int size, int skip, int skip_to, int& from,
                                      int& to) {
  const int before = (skip + length - 1) / length;
  from = index < before ? index * length : skip_to + (index - before) * length;
  to = min(from + length, index < before ? skip : size);
}

// Sixteen tiles below each other, then the next column of tiles: blocks that run at the same time share rows
// of A and of T.
__device__ __forceinline__ Tile tile_at(int index, int row_tiles, const Product& in) {
  constexpr int kBand = 16;
  const int column_tiles = tiles(in.words, 4, in.skip_word, in.skip_word_to);
  const int band = index / (kBand * column_tiles), inside = index - band * kBand * column_tiles;
  const int height = min(kBand, row_tiles - band * kBand);
  Tile tile;
  place(band * kBand + inside % height, 128, in.rows, in.skip_row, in.skip_row_to, tile.row, tile.row_to);
  place(inside / height, 4, in.words, in.skip_word, in.skip_word_to, tile.word, tile.word_to);
  return tile;
}

// Bit b of lane l becomes bit l of lane b.
__device__ __forceinline__ unsigned transpose_32(unsigned word, int lane) {
  unsigned mask = 0x0000ffffu;
#pragma unroll
  for (int step = 16; step > 0; step >>= 1) {
    const unsigned other = __shfl_xor_sync(0xffffffffu, word, step);
    word =
        (lane & step) ? (word & ~mask) | ((other >> step) & mask) : (word & mask) | ((other & mask) << step);
    mask ^= mask << (step >> 1);
  }
  return word;
}

// 256 bits: 4 words of a row, or of a column of 256 rows.
union Stripe {
  unsigned half[8];  // of words
  uint4 vector[2];
};

// Reads this number of words at `from` (none if negative), followed by zeros.
__device__ __forceinline__ Stripe load_stripe(const Bits* from, int words) {
  Stripe stripe;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const Bits word = i < words ? from[i] : 0;
    stripe.half[2 * i] = static_cast<unsigned>(word);
    stripe.half[2 * i + 1] = static_cast<unsigned>(word >> 32);
  }
  return stripe;
}

// Rows of 256 bits, padded by half a row against bank conflicts.
using Square = unsigned[256][9];

// Each of 256 threads passes a row of a square of 256 x 256 bits and receives the column of the same number;
// includes a barrier.
__device__ __forceinline__ Stripe transpose_square(const Stripe& row, Square& shared) {
  const int thread = threadIdx.x, lane = thread & 31, warp = thread >> 5;
#pragma unroll
  for (int i = 0; i < 8; ++i) shared[thread][i] = row.half[i];
  __syncthreads();
  Stripe column;
#pragma unroll
  for (int i = 0; i < 8; ++i) column.half[i] = transpose_32(shared[32 * i + lane][warp], lane);
  return column;
}

#if __CUDA_ARCH__ >= 800

// Four 8 x 128 bit matrices: lane l passes the address of row l % 8 of matrix l / 8.
__device__ __forceinline__ void load_matrices(unsigned (&fragment)[4], const void* shared) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
               : "r"(shared_address(shared)));
}

// A 16 x 8 tile of counts += the pairs of ones of 16 rows and 8 columns of 256 bits.
__device__ __forceinline__ void multiply(int (&count)[4], const unsigned (&left)[4], unsigned right0,
                                         unsigned right1) {
  asm volatile(
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, "
      "{%0, %1, %2, %3};"
      : "+r"(count[0]), "+r"(count[1]), "+r"(count[2]), "+r"(count[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1));
}

#endif

}  // namespace apsp
