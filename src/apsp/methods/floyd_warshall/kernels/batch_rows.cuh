// Floyd-Warshall with predecessors on a graph that one block closes in global memory: a group of rows of
// pivots at a time.
#pragma once
#include "batch_values.cuh"

namespace apsp {

// One graph: kernel values, and predecessors where there is a path.
//
// A thread owns the columns x, x + across, x + 2 across and x + 3 across of every `down`-th row from y on,
// and holds its columns of the kGroup rows of pivots in registers. cpp/batch/kernels.hpp explains the groups.
template <class Ops, int kGroup, int kMostRows>
struct TrackedRows {
  using Value = typename Ops::Value;
  using One = typename Ops::Single;
  using Word = typename One::Word;
  struct Shared {
    Word columns[kMostRows][kGroup];  // those of the pivots, as they were before the group
    Word steps[kGroup][kGroup];  // [pivot][row]: the value in the column of the pivot when its turn comes
  };
  Value* data;
  long long row;
  int* pred;
  int n;  // the row stride of pred
  int size, across, down, x, y;

  __device__ TrackedRows(Value* data, long long row, int* pred, int n, int size)
      : data(data), row(row), pred(pred), n(n), size(size), across(larger((size + 3) / 4, 1)) {
    down = blockDim.x / across;
    x = threadIdx.x % across;
    y = threadIdx.x / across;
  }

  __device__ void close(Shared& shared, Meeting<Word>& meeting) const {
#pragma unroll 1
    for (int first = 0; first < size; first += kGroup) {
      __syncthreads();
      show_columns(first, shared);
      __syncthreads();
      if (threadIdx.x < 32) close_group(first, shared, meeting);
      __syncthreads();
      pass(first, shared);
    }
  }

 private:
  __device__ void show_columns(int first, Shared& shared) const {
    for (int place = threadIdx.x; place < size * kGroup; place += blockDim.x) {
      const int i = place / kGroup, p = place % kGroup;
      shared.columns[i][p] = first + p < size ? Word(data[i * row + first + p]) : Word(Ops::kNoPath);
    }
  }

  // The square of the pivots, a row per thread of one warp (the others repeat them).
  __device__ void close_group(int first, Shared& shared, Meeting<Word>& meeting) const {
    const int r = threadIdx.x % kGroup;
    Word own[kGroup];
#pragma unroll
    for (int p = 0; p < kGroup; ++p)
      own[p] = first + r < size ? shared.columns[first + r][p] : Word(Ops::kNoPath);
#pragma unroll
    for (int pivot = 0; pivot < kGroup; ++pivot) {
      const Word value = own[pivot];
      if (threadIdx.x < kGroup) shared.steps[pivot][r] = value;
      if (Ops::kSums && threadIdx.x == pivot && value < Word(0))
        if (meeting.bad_vertex == kSound) meeting.bad_vertex = first + pivot;
      __syncwarp();
#pragma unroll
      for (int p = 0; p < kGroup; ++p)
        own[p] = One::relax(own[p], value, __shfl_sync(0xffffffffu, own[p], pivot));
    }
  }

  // The rows of the pivots, closed, and all others through them.
  __device__ void pass(int first, const Shared& shared) const {
    const int last = smaller(first + kGroup, size);
    Word pivots[kGroup][4];
    int before[kGroup][4];
#pragma unroll
    for (int p = 0; p < kGroup; ++p)
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const int s = x + q * across;
        const bool inside = first + p < size && s < size;
        pivots[p][q] = inside ? Word(data[(first + p) * row + s]) : Word(Ops::kNoPath);
        before[p][q] = inside ? pred[(first + p) * n + s] : 0;
      }
#pragma unroll
    for (int pivot = 0; pivot < kGroup; ++pivot)
#pragma unroll
      for (int p = 0; p < kGroup; ++p) {
        if (p == pivot) continue;
        const Word value = shared.steps[pivot][p];
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          const Word next = One::relax(pivots[p][q], value, pivots[pivot][q]);
          if (next != pivots[p][q]) before[p][q] = before[pivot][q];
          pivots[p][q] = next;
        }
      }
    if (y < down) {
#pragma unroll 1
      for (int i = y; i < size; i += down)
        if (i < first || i >= last) relax(i, shared.columns[i], pivots, before);
    }
    __syncthreads();
    if (y == 0) {
#pragma unroll
      for (int p = 0; p < kGroup; ++p)
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          const int s = x + q * across;
          if (first + p >= size || s >= size) continue;
          data[(first + p) * row + s] = Value(pivots[p][q]);
          pred[(first + p) * n + s] = before[p][q];
        }
    }
  }

  __device__ __forceinline__ void relax(int i, const Word (&column)[kGroup], const Word (&pivots)[kGroup][4],
                                        const int (&before)[kGroup][4]) const {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      const int s = x + q * across;
      if (s >= size) continue;
      const Word old = Word(data[i * row + s]);
      Word best = old;
      int found = 0;
#pragma unroll
      for (int p = 0; p < kGroup; ++p) {
        const Word next = One::relax(best, column[p], pivots[p][q]);
        if (next != best) found = before[p][q];
        best = next;
      }
      if (best != old) {
        data[i * row + s] = Value(best);
        pred[i * n + s] = found;
      }
    }
  }
};

}  // namespace apsp
