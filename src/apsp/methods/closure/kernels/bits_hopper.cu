// C |= A (x) B on the tensor cores of Hopper, a warpgroup at a time (compiled for sm_90a): twice the rate of
// the instructions in bits.cu. Both operands are packed first, so that a stage of a tile is contiguous.
#include "bits.cuh"
#include "warpgroup.cuh"

namespace apsp {

// A stage holds 1,024 pivots: 128 bytes of each of 128 rows of A and 256 columns of B. Eight rows of it are
// 1,024 bytes, their vectors of 16 bytes permuted as the tensor cores expect.
constexpr int kLeft = 128 * 128, kRight = 256 * 128, kStage = kLeft + kRight, kSlots = 4;
constexpr int kConsumers = 8;  // warps of a block that multiply; one more loads
constexpr int kCluster = 2;    // blocks that share parts of B; with four, fewer blocks fit on the chip
constexpr int kPart = kRight / kCluster;

__device__ __forceinline__ int vector_at(int row, int vector) {
  return row * 128 + ((vector ^ row) & 7) * 16;
}

// Pack A: piece (tile, stage) holds rows of C's tile `tile`, 0 beyond A.
//
// A block owns one piece, a thread four of its vectors.
// Read: A (rows, depth_words). Written: the piece. No race: pieces are disjoint.
extern "C" __global__ void __launch_bounds__(256)
    pack_left(unsigned char* packed, const Bits* a, long long stride, int rows, int depth_words, int skip_row,
              int skip_row_to) {
  int from = 0, to = 0;
  if (blockIdx.x < tiles(rows, 128, skip_row, skip_row_to))
    place(blockIdx.x, 128, rows, skip_row, skip_row_to, from, to);
  unsigned char* piece = packed + (static_cast<long long>(blockIdx.x) * gridDim.y + blockIdx.y) * kLeft;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int row = threadIdx.x / 8 + 32 * i, vector = threadIdx.x & 7, word = blockIdx.y * 16 + 2 * vector;
    ulonglong2 both = {0, 0};
    if (from + row < to) {
      const Bits* source = a + (from + row) * stride + word;
      if (word < depth_words) both.x = source[0];
      if (word + 1 < depth_words) both.y = source[1];
    }
    *reinterpret_cast<ulonglong2*>(piece + vector_at(row, vector)) = both;
  }
}

// Pack the transpose of B: piece (tile, stage) holds columns of C's tile `tile`, 0 beyond B.
//
// A block owns 256 pivots of a tile's 256 columns; a thread reads 32 bytes of one row and writes 32 of one
// column. Read: B (depth, words). Written: a quarter of a piece. No race: they are disjoint; a barrier lies
// between writing and reading shared memory.
extern "C" __global__ void __launch_bounds__(256)
    pack_right(unsigned char* packed, const Bits* b, long long stride, int depth, int words, int skip_word,
               int skip_word_to) {
  __shared__ Square square;
  const int pivot = blockIdx.y * 256 + threadIdx.x;
  int from, to;
  place(blockIdx.x, 4, words, skip_word, skip_word_to, from, to);
  const Stripe row = load_stripe(b + pivot * stride + from, pivot < depth ? to - from : 0);
  const Stripe column = transpose_square(row, square);
  unsigned char* piece =
      packed + (static_cast<long long>(blockIdx.x) * (gridDim.y / 4) + blockIdx.y / 4) * kRight;
#pragma unroll
  for (int i = 0; i < 2; ++i)
    *reinterpret_cast<uint4*>(piece + vector_at(threadIdx.x, blockIdx.y % 4 * 2 + i)) = column.vector[i];
}

#if __CUDA_ARCH_FEAT_SM90_ALL

// The 256 bits of two rows of a quad's counts, lane / 4 and 8 below it: lane q of the quad gets words 2 (q &
// 1) and 2 (q & 1) + 1 of the upper row, or for q >= 2 of the lower.
__device__ __forceinline__ void group_to_bits(const int (&count)[128], Bits (&own)[2], int lane) {
  unsigned part[2][8];
#pragma unroll
  for (int row = 0; row < 2; ++row)
#pragma unroll
    for (int word = 0; word < 8; ++word) {
      unsigned bits = 0;
#pragma unroll
      for (int j = 0; j < 2; ++j)
#pragma unroll
        for (int e = 0; e < 2; ++e) {  // counts are below 2^16: two at a time
          const int* first = count + 4 * (4 * word + j) + 2 * row + e;
          bits += __vminu2(__byte_perm(first[0], first[8], 0x5410), 0x00010001u) << (8 * j + e);
        }
      part[row][word] = bits << (2 * (lane & 3));
    }
  const bool lower = (lane & 2) != 0, odd = (lane & 1) != 0;
  unsigned half[8], quarter[4];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    half[i] =
        (lower ? part[1][i] : part[0][i]) | __shfl_xor_sync(0xffffffffu, lower ? part[0][i] : part[1][i], 2);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    quarter[i] = (odd ? half[i + 4] : half[i]) | __shfl_xor_sync(0xffffffffu, odd ? half[i] : half[i + 4], 1);
#pragma unroll
  for (int i = 0; i < 2; ++i) own[i] = static_cast<Bits>(quarter[2 * i + 1]) << 32 | quarter[2 * i];
}

// This block's tile among those of a cluster, which are below each other in the same columns.
struct Tiles {
  int groups, all, stages;
  __device__ __forceinline__ explicit Tiles(const Product& in)
      : groups((tiles(in.rows, 128, in.skip_row, in.skip_row_to) + kCluster - 1) / kCluster),
        all(groups * tiles(in.words, 4, in.skip_word, in.skip_word_to)),
        stages(in.stages) {}
  // Eight groups below each other, then the next column of tiles.
  __device__ __forceinline__ void at(int index, int rank, const Product& in, int& row_tile,
                                     int& word_tile) const {
    constexpr int kBand = 8;
    const int columns = all / groups, band = index / (kBand * columns),
              inside = index - band * kBand * columns;
    const int height = min(kBand, groups - band * kBand);
    row_tile = kCluster * (band * kBand + inside % height) + rank;
    word_tile = inside / height;
  }
};

__device__ __forceinline__ void load_tiles(const Product& in, const unsigned char* left,
                                           const unsigned char* right, unsigned shared, unsigned full,
                                           unsigned empty, int rank) {
  const Tiles of(in);
  int slot = 0, phase = 1;  // no waiting before the first use of a slot
  for (int index = blockIdx.x / kCluster; index < of.all; index += gridDim.x / kCluster) {
    int row_tile, word_tile;
    of.at(index, rank, in, row_tile, word_tile);
    const unsigned char* a = left + static_cast<long long>(row_tile) * of.stages * kLeft;
    const unsigned char* b = right + static_cast<long long>(word_tile) * of.stages * kRight + rank * kPart;
    for (int stage = 0; stage < of.stages; ++stage, a += kLeft, b += kRight) {
      const unsigned to = shared + slot * kStage, barrier = full + 8 * slot;
      await(empty + 8 * slot, phase);
      expect(barrier, kStage);
      copy_piece(to, a, kLeft, barrier);
      copy_piece_to_all<kCluster>(to + kLeft + rank * kPart, b, kPart, barrier);
      if (++slot == kSlots) {
        slot = 0;
        phase ^= 1;
      }
    }
  }
}

__device__ __forceinline__ void release(unsigned barrier, int lane) {
  if (lane < kCluster) arrive(barrier, lane);
}

__device__ __forceinline__ void multiply_tiles(const Product& in, unsigned shared, unsigned full,
                                               unsigned empty, int rank) {
  const Tiles of(in);
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, group = warp >> 2;
  int slot = 0, phase = 0, count[128];
  for (int index = blockIdx.x / kCluster; index < of.all; index += gridDim.x / kCluster) {
    int row_tile, word_tile;
    Tile tile = {0, 0, 0, 0};
    of.at(index, rank, in, row_tile, word_tile);
    if (row_tile < tiles(in.rows, 128, in.skip_row, in.skip_row_to))
      place(row_tile, 128, in.rows, in.skip_row, in.skip_row_to, tile.row, tile.row_to);
    place(word_tile, 4, in.words, in.skip_word, in.skip_word_to, tile.word, tile.word_to);
    const int row = tile.row + warp * 16 + (lane >> 2) + (lane & 2) * 4, word = tile.word + 2 * (lane & 1);
    Bits* own_c = in.c + row * in.c_stride + word;
    Bits before[2] = {};
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if (row < tile.row_to && word + i < tile.word_to) before[i] = own_c[i];
    for (int stage = 0; stage < of.stages; ++stage) {
      const unsigned a = shared + slot * kStage + group * (kLeft / 2), b = shared + slot * kStage + kLeft;
      await(full + 8 * slot, phase);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (int k = 0; k < 4; ++k)
        multiply_group(count, matrix_at(a) + 2 * k, matrix_at(b) + 2 * k, k > 0 || stage > 0);
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
      if (stage > 0) release(empty + 8 * (slot == 0 ? kSlots - 1 : slot - 1), lane);
      if (++slot == kSlots) {
        slot = 0;
        phase ^= 1;
      }
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    release(empty + 8 * (slot == 0 ? kSlots - 1 : slot - 1), lane);
    Bits found[2];
    group_to_bits(count, found, lane);
#pragma unroll
    for (int i = 0; i < 2; ++i)
      if ((found[i] & ~before[i]) != 0 && row < tile.row_to && word + i < tile.word_to)
        own_c[i] = before[i] | found[i];
  }
}

#endif

// C |= A (x) B over (or,and), bits: C (rows, words), A and B packed in stages of 1,024 pivots.
//
// A cluster of two blocks owns every gridDim.x / 2-th pair of tiles of C, 128 rows of 256 bits, one below
// the other; each block loads its rows of A, and half of the columns of B for both. Warp 8 loads; a
// warpgroup of the others owns 64 rows, a thread 128 counts, and two words of C. Read: the packed pieces
// through shared memory, the tile of C. Written: the tile of C. No race: no other block writes the tile; a
// slot of shared memory is refilled after all warps of the cluster have released it.
extern "C" __global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(32 * (kConsumers + 1), 1)
    multiply_packed(Bits* c, long long c_stride, const unsigned char* left, const unsigned char* right,
                    int rows, int words, int stages, int skip_row, int skip_row_to, int skip_word,
                    int skip_word_to) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) char slots[];
  __shared__ unsigned long long barriers[2 * kSlots];
  const Product in = {c,     c_stride, nullptr, 0,        nullptr,     0,         rows,
                      words, 0,        stages,  skip_row, skip_row_to, skip_word, skip_word_to};
  const unsigned full = shared_address(barriers), empty = full + 8 * kSlots;
  const unsigned shared = (shared_address(slots) + 1023) & ~1023u;
  if (threadIdx.x == 0) {
    for (int slot = 0; slot < kSlots; ++slot) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full + 8 * slot) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(empty + 8 * slot),
                   "r"(kCluster * kConsumers)
                   : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  meet_cluster();
  const int rank = blockIdx.x % kCluster;
  if (threadIdx.x < 32 * kConsumers)
    multiply_tiles(in, shared, full, empty, rank);
  else if (threadIdx.x == 32 * kConsumers)
    load_tiles(in, left, right, shared, full, empty, rank);
  __syncwarp();
  meet_cluster();  // other blocks may still send to this block
#endif
}

}  // namespace apsp
