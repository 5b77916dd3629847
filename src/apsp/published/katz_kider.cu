// Blocked Floyd-Warshall and Warshall in shared memory: three passes for each primary block. The matrix lies
// in pages, squares of `side` x `side` cells, made of blocks of kBlock x kBlock; one page may be the whole
// matrix.
#include "semiring.cuh"

namespace apsp {

template <class T, bool kWide = sizeof(T) == 8>
struct Vertex {
  using Type = int;
};
template <class T>
struct Vertex<T, true> {
  using Type = long long;
};

// A cell [intermediate vertex or -1, length].
template <class T>
struct alignas(2 * sizeof(T)) PathCell {
  typename Vertex<T>::Type between;
  T length;
};

// The type of a cell, and its relaxation through vertex k (Algorithm 3 for paths, Algorithm 1 for closure).
template <class T>
struct Paths {
  using Cell = PathCell<T>;
  static __device__ void relax(Cell& own, const Cell& first, const Cell& onward, long long k) {
    if (!(first.length < Range<T>::kNoPath && onward.length < Range<T>::kNoPath)) return;
    const T length = first.length + onward.length;
    if (length < own.length) own = Cell{static_cast<typename Vertex<T>::Type>(k), length};
  }
};
struct Closure {
  using Cell = int;
  static __device__ void relax(Cell& own, const Cell& first, const Cell& onward, long long) {
    if (!own && first && onward) own = 1;
  }
};

// 0 before the primary block, 1 from it on (equations 5 to 7).
__device__ inline int skip_center(int block, int primary_block) {
  const int rounded = (block + 1) / (primary_block + 1);
  return rounded < 1 ? rounded : 1;
}

// The address of the cell that this thread owns in block (i, j) of a page.
template <class Cell, int kBlock>
__device__ Cell* own_cell(Cell* page, int side, int i, int j) {
  return page + (i * kBlock + threadIdx.y) * static_cast<long long>(side) + j * kBlock + threadIdx.x;
}

// Pass 1: close the primary block, number b on the diagonal, whose first vertex is `first`.
//
// The only block of threads owns the primary block. A thread owns one cell of it.
// Read and written: the primary block of page (side, side), once; the pivots run in shared memory.
// No race: for pivot k, cell (k, k) is the empty path, so no cell of row k or column k becomes better; a
// barrier lies between two pivots.
template <class Ops, int kBlock>
__global__ void primary(typename Ops::Cell* page, int side, int b, long long first) {
  using Cell = typename Ops::Cell;
  __shared__ Cell center[kBlock][kBlock];
  Cell* at = own_cell<Cell, kBlock>(page, side, b, b);
  const int x = threadIdx.x, y = threadIdx.y;
  center[y][x] = *at;
  __syncthreads();
  for (int k = 0; k < kBlock; ++k) {
    Ops::relax(center[y][x], center[y][k], center[k][x], first + k);
    __syncthreads();
  }
  *at = center[y][x];
}

// Pass 2: blocks that depend on the primary block and themselves. blockIdx.y + in_column is 0 for blocks in
// the row of the primary block, 1 for those in its column; `skip` is 1 if the page contains the primary
// block.
//
// A block owns one block of page (side, side). A thread owns one cell of it.
// Read: the primary block of primary_page (side, side), which may be page. Read and written: the owned block.
// No race: the primary block is skipped, so no block writes it; within a block as in pass 1.
template <class Ops, int kBlock>
__global__ void singly_dependent(typename Ops::Cell* page, typename Ops::Cell* primary_page, int side, int b,
                                 long long first, int in_column, int skip) {
  using Cell = typename Ops::Cell;
  __shared__ Cell center[kBlock][kBlock], current[kBlock][kBlock];
  const int other = blockIdx.x + skip * skip_center(blockIdx.x, b);
  const bool is_column = blockIdx.y + in_column == 1;
  Cell* at = own_cell<Cell, kBlock>(page, side, is_column ? other : b, is_column ? b : other);
  const int x = threadIdx.x, y = threadIdx.y;
  center[y][x] = *own_cell<Cell, kBlock>(primary_page, side, b, b);
  current[y][x] = *at;
  __syncthreads();
  for (int k = 0; k < kBlock; ++k) {
    if (is_column)
      Ops::relax(current[y][x], current[y][k], center[k][x], first + k);
    else
      Ops::relax(current[y][x], center[y][k], current[k][x], first + k);
    __syncthreads();
  }
  *at = current[y][x];
}

// Pass 3: blocks that depend on a block in the column of the primary block and on one in its row, which lie
// in column_page and row_page. skip_x and skip_y are 1 if that column, or row, of the page is left out.
//
// A block owns one block of page (side, side). A thread owns one cell of it.
// Read: a block of column_page and one of row_page (side, side), either of which may be page. Read and
// written: the owned block. No race: the blocks that are left out are those that others read.
template <class Ops, int kBlock>
__global__ void doubly_dependent(typename Ops::Cell* page, typename Ops::Cell* column_page,
                                 typename Ops::Cell* row_page, int side, int b, long long first, int skip_x,
                                 int skip_y) {
  using Cell = typename Ops::Cell;
  __shared__ Cell current[kBlock][kBlock], column[kBlock][kBlock], row[kBlock][kBlock];
  const int j = blockIdx.x + skip_x * skip_center(blockIdx.x, b),
            i = blockIdx.y + skip_y * skip_center(blockIdx.y, b);
  Cell* at = own_cell<Cell, kBlock>(page, side, i, j);
  const int x = threadIdx.x, y = threadIdx.y;
  current[y][x] = *at;
  column[y][x] = *own_cell<Cell, kBlock>(column_page, side, i, b);
  row[y][x] = *own_cell<Cell, kBlock>(row_page, side, b, j);
  __syncthreads();
  for (int k = 0; k < kBlock; ++k) Ops::relax(current[y][x], column[y][k], row[k][x], first + k);
  *at = current[y][x];
}

}  // namespace apsp
