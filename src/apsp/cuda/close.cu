// The tiles of the diagonal in blocked Floyd-Warshall (Katz, Kider 2008, section 3).
#include "semiring.cuh"

namespace apsp {

// Floyd-Warshall on one tile of the diagonal, at most 128 x 128, in place. A closed walk shorter than -slack
// puts its vertex (first_vertex + row) into found[0] if nothing is there yet (-1); one between -slack and 0
// becomes 0 and sets found[1].
//
// The one block owns the tile. A thread owns 4 x 4 neighbouring entries, in registers from first to last; a
// warp owns 4 rows. Four pivots at a time: their warp closes their rows alone and shows them to all, then all
// relax their own entries. Read and written: the tile, once. Between: the pivots' rows (4, 128) in shared
// memory, two copies in turn. No race: one barrier for four pivots. A copy is rewritten a round later, when
// the barrier between has seen all its readers.
template <class Ops>
__global__ void __launch_bounds__(1024, 1) close_tile(typename Ops::Value* tile, long long stride, int size,
                                                      double slack, int first_vertex, int* found) {
  using One = typename Ops::Single;
  using Word = typename One::Word;
  struct alignas(16) Four {
    Word at[4];
  };
  __shared__ Four pivot_rows[2][4][32];
  const int y = threadIdx.x >> 5, x = threadIdx.x & 31;
  Word own[4][4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int r = 4 * y + i, s = 4 * x + j;
      own[i][j] = r < size && s < size ? Word(tile[r * stride + s]) : Word(Ops::kNoPath);
    }
  for (int group = 0; 4 * group < size; ++group) {
    Four(&rows)[4][32] = pivot_rows[group & 1];
    if (y == group) {
#pragma unroll
      for (int pivot = 0; pivot < 4; ++pivot) {
        if (Ops::kSums && x == group && own[pivot][pivot] < Word(0)) {
          if (double(own[pivot][pivot]) < -slack) {
            atomicCAS(found, -1, first_vertex + 4 * group + pivot);
          } else {
            found[1] = 1;
            own[pivot][pivot] = Word(0);
          }
        }
        Word across[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) across[j] = own[pivot][j];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const Word down = __shfl_sync(0xffffffffu, own[i][pivot], group);
#pragma unroll
          for (int j = 0; j < 4; ++j) own[i][j] = One::relax(own[i][j], down, across[j]);
        }
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) rows[i][x] = {own[i][0], own[i][1], own[i][2], own[i][3]};
    }
    __syncthreads();
    if (y != group) {
      // A path goes to the first of the four pivots that it meets, and on as the closed row of that pivot
      // says.
#pragma unroll
      for (int pivot = 0; pivot < 4; ++pivot) {
        const Four across = rows[pivot][x];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const Word down = __shfl_sync(0xffffffffu, own[i][pivot], group);
#pragma unroll
          for (int j = 0; j < 4; ++j) own[i][j] = One::relax(own[i][j], down, across.at[j]);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int r = 4 * y + i, s = 4 * x + j;
      if (r < size && s < size) tile[r * stride + s] = typename Ops::Value(own[i][j]);
    }
}

}  // namespace apsp
