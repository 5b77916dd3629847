// Reachability, one bit per pair, for GPUs whose tensor cores do not multiply bits: tables of unions of eight
// rows (Arlazarov, Dinic, Kronrod, Faradzev 1970), one look-up for eight pivots of 1,024 columns.
#include "bits.cuh"

namespace apsp {

constexpr int kWarps = 16;        // of a block
constexpr int kEntryBytes = 128;  // a table has 256 entries of one word of 32 bits per lane

// Entries [32 part_of, 32 part_of + 32) of the table of eight pivots, rows of 32 words; bits 5 to 7 of their
// numbers are the same.
__device__ __forceinline__ void build_entries(char* table, int pitch, const unsigned* pivots, int part_of) {
  unsigned row[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) row[i] = pivots[32 * i];
  unsigned base = 0;
#pragma unroll
  for (int i = 0; i < 3; ++i)
    if (part_of >> i & 1) base |= row[5 + i];
  char* to = table + 32 * part_of * pitch;
#pragma unroll
  for (int high = 0; high < 4; ++high) {
    const unsigned with = base | (high & 1 ? row[3] : 0u) | (high & 2 ? row[4] : 0u);
#pragma unroll
    for (int low = 0; low < 8; ++low)
      *reinterpret_cast<unsigned*>(to + (8 * high + low) * pitch) =
          with | (low & 1 ? row[0] : 0u) | (low & 2 ? row[1] : 0u) | (low & 4 ? row[2] : 0u);
  }
}

// The address of entry `byte` of 4 of `index` in a table.
template <int kPitch>
__device__ __forceinline__ unsigned entry(const char* tables, unsigned index, int byte, unsigned lane_bytes) {
  const unsigned place = kPitch == 256 ? __byte_perm(index, lane_bytes, 0x7704 | byte << 4)
                                       : (index >> (8 * byte) & 255u) * kPitch + lane_bytes;
  return *reinterpret_cast<const unsigned*>(tables + place);
}

// Sixteen pivots of a block's 16 words to shared memory; 0 beyond B.
__device__ __forceinline__ void load_pivots(Bits* shared, const Bits* b, long long b_stride, int pivot,
                                            int depth, int word, int words) {
  const int row = threadIdx.x >> 4, column = threadIdx.x & 15;
  if (threadIdx.x < 256) {
    const bool inside = pivot + row < depth && word + column < words;
    copy_part<8>(shared + threadIdx.x, inside ? b + (pivot + row) * b_stride + word + column : b,
                 inside ? 8 : 0);
  }
  end_of_stage();
}

// The pivots, of 128 from `start` on, with which the rows of a block's tile are united: sixteen per piece,
// index[piece][row].
template <int kTile>
__device__ __forceinline__ void load_index(unsigned short* index, const unsigned short* a, long long a_stride,
                                           int row, int rows, int start, int pieces) {
  for (int at = threadIdx.x; at < kTile * 8; at += 32 * kWarps) {
    const int below = at / 8, piece = at % 8;
    index[piece * kTile + below] =
        row + below < rows && piece < pieces ? a[(row + below) * a_stride + start / 16 + piece] : 0;
  }
}

// sum[i] |= the entries selected by sixteen bits of index[i] in two tables; with one table, by their byte
// `part`.
template <int kRows, int kTables>
__device__ __forceinline__ void look_up(unsigned (&sum)[kRows], const char* tables,
                                        const unsigned short* index, int part) {
  constexpr int kPitch = kEntryBytes * kTables;
  const unsigned lane_bytes = 4 * (threadIdx.x & 31);
#pragma unroll
  for (int i = 0; i < kRows; i += 8) {
    const uint4 of_eight = *reinterpret_cast<const uint4*>(index + i);
    const unsigned of_two[4] = {of_eight.x, of_eight.y, of_eight.z, of_eight.w};
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int byte = 2 * (j & 1);
      if (kTables == 2)
        sum[i + j] |= entry<kPitch>(tables, of_two[j >> 1], byte, lane_bytes) |
                      entry<kPitch>(tables + kEntryBytes, of_two[j >> 1], byte + 1, lane_bytes);
      else
        sum[i + j] |= entry<kPitch>(tables, of_two[j >> 1], byte + part, lane_bytes);
    }
  }
}

// C |= A (x) B over (or,and), bits: C (rows, words), A (rows, depth bits), B (depth, words).
//
// A block owns a tile of C, 16 kRows rows of 1,024 bits. A warp owns kRows rows of it, a lane 32 bits of
// each, in registers throughout. Read: A and B through shared memory, kTables tables of eight rows at
// a time. Written: the tile of C. No race: no other block writes the tile; barriers lie before and after the
// building of tables.
template <int kRows, int kTables>
__global__ void __launch_bounds__(32 * kWarps, 1)
    unite_rows(Bits* c, long long c_stride, const Bits* a, long long a_stride, const Bits* b,
               long long b_stride, int rows, int words, int depth) {
  constexpr int kPitch = kEntryBytes * kTables, kTile = kRows * kWarps;
  extern __shared__ __align__(16) char shared[];
  char* tables = shared;
  Bits* pivots = reinterpret_cast<Bits*>(shared + 256 * kPitch);            // [2][16][16]
  unsigned short* index = reinterpret_cast<unsigned short*>(pivots + 512);  // [8][kTile]
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int first_row = blockIdx.y * kTile, first_word = blockIdx.x * 16;
  const int group = kTables == 2 ? warp >> 3 : 0;

  unsigned sum[kRows] = {};
  load_pivots(pivots, b, b_stride, 0, depth, first_word, words);
  for (int start = 0; start < depth; start += 16) {
    const int piece = start / 16 % 8;
    await_stages<0>();
    __syncthreads();
    if (piece == 0)
      load_index<kTile>(index, reinterpret_cast<const unsigned short*>(a), 4 * a_stride, first_row, rows,
                        start, (depth - start + 15) / 16);
    const Bits* now = pivots + start / 16 % 2 * 256;
    load_pivots(pivots + (start / 16 + 1) % 2 * 256, b, b_stride, start + 16, depth, first_word, words);
#pragma unroll
    for (int part = 0; part < 2; part += kTables) {
      if (part != 0) __syncthreads();
      if (kTables == 2 || warp < 8)
        build_entries(tables + group * kEntryBytes + lane * 4, kPitch,
                      reinterpret_cast<const unsigned*>(now) + 256 * (part + group) + lane, warp & 7);
      __syncthreads();
      look_up<kRows, kTables>(sum, tables, index + piece * kTile + warp * kRows, part);
    }
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int row = first_row + warp * kRows + i, word = first_word + lane / 2;
    if (row < rows && word < words && sum[i] != 0)
      reinterpret_cast<unsigned*>(c + row * c_stride + word)[lane % 2] |= sum[i];
  }
}

}  // namespace apsp
