// Reachability, one bit per pair: unions of bit rows on the tensor cores, which multiply bits as (and,
// count).
#include "bits.cuh"

namespace apsp {

// T = the transpose of B (depth, columns) bits, so that the pivots of a column are contiguous; T has `pitch`
// bytes per row, and bits beyond B are 0.
//
// A block owns 256 pivots of 256 columns. A thread reads 32 bytes of one row of B and writes 32 bytes of one
// row of T.
// Read: B (depth, words). Written: T (256 gridDim.x, 256 gridDim.y bits). No race: blocks write disjoint
// pieces; a barrier lies between writing and reading shared memory.
__global__ void __launch_bounds__(256)
    transpose(unsigned char* __restrict__ t, int pitch, const Bits* __restrict__ b, long long b_stride,
              int depth, int words) {
  __shared__ Square square;
  const int pivot = blockIdx.y * 256 + threadIdx.x, first = blockIdx.x * 4;
  const Stripe row = load_stripe(b + pivot * b_stride + first, pivot < depth ? words - first : 0);
  const Stripe column = transpose_square(row, square);
  uint4* to = reinterpret_cast<uint4*>(t + (blockIdx.x * 256LL + threadIdx.x) * pitch + blockIdx.y * 32);
  to[0] = column.vector[0];
  to[1] = column.vector[1];
}

#if __CUDA_ARCH__ >= 800

// Tiles in shared memory: rows of 64 bytes, their four vectors of 16 bytes permuted so that the vectors of
// one column in eight rows lie in different banks. The pattern repeats after sixteen rows.
__device__ __forceinline__ int swizzled(int row, int vector) {
  return row * 64 + ((vector ^ (row >> 1)) & 3) * 16;
}

// The part of a tile that a thread copies, one stage of 512 pivots at a time: one vector of every 64th row.
struct Source {
  const Bits* a[2];
  const unsigned char* t;
  int words[2];  // of A that are left, from this vector on

  __device__ __forceinline__ Source(const Product& in, Tile tile) {
    const int row = threadIdx.x >> 2, vector = threadIdx.x & 3;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int of_a = tile.row + row + 64 * i;
      const bool inside = of_a < tile.row_to;
      a[i] = in.a + (inside ? of_a : 0) * in.a_stride + vector * 2;
      words[i] = inside ? in.depth_words - vector * 2 : 0;
    }
    t = in.t + (tile.word * 64LL + row) * in.pitch + vector * 16;
  }

  template <bool kAligned>
  __device__ __forceinline__ void load(char* shared, int pitch) {
    char* to = shared + swizzled(threadIdx.x >> 2, threadIdx.x & 3);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int bytes = min(max(words[i], 0), 2) * 8;
      if (kAligned) {
        copy_part<16>(to + 4096 * i, bytes > 0 ? a[i] : a[i] - 2 * (threadIdx.x & 3), bytes);
      } else {
        copy_part<8>(to + 4096 * i, bytes > 0 ? a[i] : a[i] - 2 * (threadIdx.x & 3), min(bytes, 8));
        copy_part<8>(to + 4096 * i + 8, bytes > 8 ? a[i] + 1 : a[i] - 2 * (threadIdx.x & 3),
                     max(bytes - 8, 0));
      }
      a[i] += 8;
      words[i] -= 8;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) copy_part<16>(to + 8192 + 4096 * i, t + 64LL * i * pitch, 16);
    t += 64;
  }
};

// A warp's 64 x 64 counts += its rows of A and its columns of T, 512 pivots of them.
__device__ __forceinline__ void multiply_stage(int (&count)[4][8][4], const char* a, const char* t) {
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const char* of_a = a + swizzled(lane & 15, 2 * half + (lane >> 4));
    const char* of_t = t + swizzled((lane & 7) + (lane >> 4) * 8, 2 * half + (lane >> 3 & 1));
    unsigned left[4][4], right[4][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) load_matrices(left[i], of_a + 1024 * i);
#pragma unroll
    for (int j = 0; j < 4; ++j) load_matrices(right[j], of_t + 1024 * j);
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        multiply(count[i][j], left[i], right[j >> 1][2 * (j & 1)], right[j >> 1][2 * (j & 1) + 1]);
  }
}

// The 64 bits of rows 16 i + 8 h + lane / 4 of a warp's counts (group 2 i + h of 8): a lane gets those of
// groups 2 (lane % 4) and 2 (lane % 4) + 1. The counts become 0.
__device__ __forceinline__ void to_bits(int (&count)[4][8][4], Bits (&own)[2], int lane) {
  unsigned part[8][2];
#pragma unroll
  for (int group = 0; group < 8; ++group)
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      unsigned bits = 0;
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          int& entry = count[group >> 1][4 * side + j][2 * (group & 1) + e];
          bits += min(entry, 1) << (8 * j + e);
          entry = 0;
        }
      part[group][side] = bits << (2 * (lane & 3));
    }
  // Lanes of four exchange halves twice, so that each ends with its two groups.
  const bool upper = (lane & 2) != 0, odd = (lane & 1) != 0;
#pragma unroll
  for (int group = 0; group < 4; ++group)
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      const unsigned mine = upper ? part[group + 4][side] : part[group][side];
      const unsigned yours = upper ? part[group][side] : part[group + 4][side];
      part[group][side] = mine | __shfl_xor_sync(0xffffffffu, yours, 2);
    }
#pragma unroll
  for (int group = 0; group < 2; ++group) {
    unsigned both[2];
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      const unsigned mine = odd ? part[group + 2][side] : part[group][side];
      const unsigned yours = odd ? part[group][side] : part[group + 2][side];
      both[side] = mine | __shfl_xor_sync(0xffffffffu, yours, 1);
    }
    own[group] = static_cast<Bits>(both[1]) << 32 | both[0];
  }
}

#endif

// C |= A (x) B over (or,and), bits: C (rows, words), A (rows, depth_words), T the transpose of B, in stages
// of 512 pivots; rows and words of the skipped ranges are not changed. C may be A if B is closed: a block
// then reads some words before and some after other blocks have changed them, and both give the same union.
//
// A block owns every gridDim.x-th tile of C, 128 rows of 256 bits; its 8 warps 64 x 64 bits each. A thread
// owns 128 counts, and adds 2 words of 64 bits to C.
// Read: A and T through shared memory, the tile of C. Written: the tile of C. No race: no other block writes
// the tile; a stage is overwritten only after the barrier that follows its last use.
template <bool kAligned>
__global__ void __launch_bounds__(256, 1)
    multiply_bits(Bits* c, long long c_stride, const Bits* a, long long a_stride, const unsigned char* t,
                  int pitch, int rows, int words, int depth_words, int skip_row, int skip_row_to,
                  int skip_word, int skip_word_to) {
#if __CUDA_ARCH__ >= 800
  const Product in = {c,        c_stride,    a,         a_stride,    t,
                      pitch,    rows,        words,     depth_words, (depth_words + 7) / 8,
                      skip_row, skip_row_to, skip_word, skip_word_to};
  extern __shared__ __align__(128) char shared[];
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int row_tiles = tiles(in.rows, 128, in.skip_row, in.skip_row_to);
  const int all = row_tiles * tiles(in.words, 4, in.skip_word, in.skip_word_to);
  int next = blockIdx.x, left = in.stages;  // the tile to be loaded, and the number of its loaded stages
  Source source(in, tile_at(min(next, all - 1), row_tiles, in));
  const auto load_next = [&](int slot) {
    if (next < all) {
      source.load<kAligned>(shared + slot * kStageBytes, in.pitch);
      if (--left == 0) {
        left = in.stages;
        next += gridDim.x;
        if (next < all) source = Source(in, tile_at(next, row_tiles, in));
      }
    }
    end_of_stage();
  };
#pragma unroll
  for (int slot = 0; slot < kStages - 1; ++slot) load_next(slot);

  int count[4][8][4] = {};
  int slot = 0;
  for (int index = blockIdx.x; index < all; index += gridDim.x) {
    const Tile tile = tile_at(index, row_tiles, in);
    const int row = tile.row + (warp >> 2) * 64 + (lane & 3) * 16 + (lane >> 2),
              word = tile.word + (warp & 3);
    Bits* own_c = in.c + row * in.c_stride + word;
    Bits before[2] = {};
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if (row + 8 * i < tile.row_to && word < tile.word_to) before[i] = own_c[8 * i * in.c_stride];
    for (int stage = 0; stage < in.stages; ++stage) {
      await_stages<kStages - 2>();
      __syncthreads();
      load_next((slot + kStages - 1) % kStages);
      const char* a = shared + slot * kStageBytes;
      multiply_stage(count, a + (warp >> 2) * 4096, a + 8192 + (warp & 3) * 4096);
      slot = (slot + 1) % kStages;
    }
    Bits found[2];
    to_bits(count, found, lane);
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if ((found[i] & ~before[i]) != 0 && row + 8 * i < tile.row_to && word < tile.word_to)
        own_c[8 * i * in.c_stride] = before[i] | found[i];
  }
#endif
}

}  // namespace apsp
