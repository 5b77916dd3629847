// The tile of the batch kernels: a whole small graph, or a square of a larger one, in the registers of a
// block.
#pragma once
#include "batch_values.cuh"

namespace apsp {

// Four predecessors of less than 256 vertices, one per byte.
__device__ __forceinline__ unsigned with_byte(unsigned four, unsigned from, int place) {
  return __byte_perm(four, from, 0x3210 + (4 << 4 * place));
}

// A square tile in the registers of a block: a thread owns kRows x 4 neighbouring entries. Rows and columns
// of pivots are shared with the other threads, kDepth at a time, in shared memory. kTracks: with
// predecessors; cpp/batch/kernels.hpp proves that they form no cycle.
template <class Ops, int kSide, int kRows, int kDepth, bool kTracks = false>
struct SquareTile {
  using Value = typename Ops::Value;
  using One = typename Ops::Single;
  using Word = typename One::Word;
  static constexpr int kAcross = kSide / 4, kThreads = kAcross * (kSide / kRows);
  struct alignas(16) Four {
    Word at[4];
  };
  struct Panels {
    Four rows[kDepth][kAcross];                                    // [pivot][column / 4]
    Four columns[kDepth / 4][kSide];                               // [pivot / 4][row]
    unsigned before[kTracks ? kDepth : 1][kTracks ? kAcross : 1];  // the predecessors of rows
  };
  const int x = threadIdx.x % kAcross, y = threadIdx.x / kAcross;
  Word own[kRows][4];
  unsigned before[kTracks ? kRows : 1];

  // own = choose(own, down join across), and the predecessor of the row of the pivot where that is better.
  __device__ __forceinline__ void relax_entry(int i, int j, Word down, Word across, unsigned pivot_before) {
    const Word next = One::relax(own[i][j], down, across);
    if constexpr (kTracks)
      if (next != own[i][j]) before[i] = with_byte(before[i], pivot_before, j);
    own[i][j] = next;
  }

  // own = choose(own, columns join rows) through 4 pivots, except for four rows of the thread (none: -1). As
  // many rows of pivots are in registers at a time as fit.
  __device__ __forceinline__ void relax(const Panels& panels, int fourth, int skipped) {
    constexpr int kFull = kRows < 8 ? 4 : sizeof(Word) < 8 ? 2 : 1;
    constexpr int kHeld = kTracks && kFull == 4 ? (sizeof(Word) < 8 ? 2 : 1) : kFull;
#pragma unroll
    for (int first = 0; first < 4; first += kHeld) {
      Four across[kHeld];
      unsigned across_before[kHeld];
#pragma unroll
      for (int pivot = 0; pivot < kHeld; ++pivot) {
        across[pivot] = panels.rows[4 * fourth + first + pivot][x];
        across_before[pivot] =
            kTracks ? panels.before[kTracks ? 4 * fourth + first + pivot : 0][kTracks ? x : 0] : 0;
      }
#pragma unroll
      for (int part = 0; part < kRows / 4; ++part) {
        if (part == skipped) continue;
#pragma unroll
        for (int i = 4 * part; i < 4 * part + 4; ++i) {
          const Four& down = panels.columns[fourth][kRows * y + i];
#pragma unroll
          for (int pivot = 0; pivot < kHeld; ++pivot)
#pragma unroll
            for (int j = 0; j < 4; ++j)
              relax_entry(i, j, down.at[first + pivot], across[pivot].at[j], across_before[pivot]);
        }
      }
    }
  }

  // Floyd-Warshall. The vertex of a negative closed walk is stored if none is stored yet. Four pivots at a
  // time: their threads close their rows and publish them, and publish their columns as they were before: a
  // path goes to the first of the four pivots on it, and continues along the closed row of that pivot. One
  // barrier per four pivots: a copy is rewritten two rounds later, after a barrier that all of its readers
  // have passed.
  __device__ void close(int size, int first_vertex, Panels (&panels)[2], Meeting<Word>& meeting) {
    for (int owner = 0; kRows * owner < size; ++owner) {
#pragma unroll
      for (int part = 0; part < kRows / 4; ++part) {
        const int group = owner * (kRows / 4) + part;
        Panels& shown = panels[group & 1];
        if (x == group) {
#pragma unroll
          for (int i = 0; i < kRows; ++i)
            shown.columns[0][kRows * y + i] = {own[i][0], own[i][1], own[i][2], own[i][3]};
        }
        if (threadIdx.x / 32 == owner * kAcross / 32) {
          close_rows(part, owner, group, first_vertex, meeting);
          if (y == owner) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
              shown.rows[i][x] = {own[4 * part + i][0], own[4 * part + i][1], own[4 * part + i][2],
                                  own[4 * part + i][3]};
              if constexpr (kTracks) shown.before[i][x] = before[4 * part + i];
            }
          }
        }
        __syncthreads();
        relax(shown, 0, y == owner ? part : -1);
      }
    }
  }

  // All threads of a warp come here: a shuffle needs them.
  __device__ __forceinline__ void close_rows(int part, int owner, int group, int first_vertex,
                                             Meeting<Word>& meeting) {
#pragma unroll
    for (int pivot = 0; pivot < 4; ++pivot) {
      const int row = 4 * part + pivot;
      if (Ops::kSums && y == owner && x == group && own[row][pivot] < Word(0))
        if (meeting.bad_vertex == kSound) meeting.bad_vertex = first_vertex + 4 * group + pivot;
      Word across[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) across[j] = own[row][j];
      const unsigned across_before = before[kTracks ? row : 0];
#pragma unroll
      for (int i = 4 * part; i < 4 * part + 4; ++i) {
        const Word down = __shfl_sync(0xffffffffu, own[i][pivot], group, kAcross);
        if (y == owner) {
#pragma unroll
          for (int j = 0; j < 4; ++j) relax_entry(i, j, down, across[j], across_before);
        }
      }
    }
  }
};

}  // namespace apsp
