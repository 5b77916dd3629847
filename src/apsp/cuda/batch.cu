// Many small graphs in one launch: Floyd-Warshall with one block of threads a graph, from public values to
// public values (blocking as Katz, Kider 2008, section 3).
#include "semiring.cuh"

namespace apsp {

// What became of a graph; 0 and above is a vertex on a negative cycle.
constexpr int kSound = -1, kNoNumber = -2, kOutOfRange = -3, kRounded = -4;

template <class Value>
struct alignas(sizeof(Value) == 2 ? 8 : 16) Quad {
  Value at[4];
};

// What the arcs of a graph are, beside 0: a thread's part of them, or all after `merge`.
template <class Ops>
struct Arcs {
  using Value = typename Ops::Value;
  using Word = typename Ops::Single::Word;
  struct Shared {
    Word low[32], high[32];
  };
  Word low = Word(0), high = Word(0);
  bool bad = false;

  // The kernel value of a public one: "no arc", an arc, or the diagonal, where only a better loop counts.
  __device__ __forceinline__ Word take(Value value, bool diagonal) {
    if constexpr (Value(1) / 2 != Value(0)) bad = bad || !(value > Range<Value>::kLeast);
    const Word word = Word(value) + Word(0);  // no -0
    const Word none = diagonal ? Word(Ops::kEmptyPath) : Word(Ops::kNoPath);
    if (value == Range<Value>::kMost || (diagonal && !Ops::better(value, Ops::kEmptyPath))) return none;
    low = smaller(low, word);
    high = larger(high, word);
    return word;
  }

  // Of all threads, to all threads; a barrier.
  __device__ void merge(Shared& shared) {
    for (int other = 16; other > 0; other >>= 1) {
      low = smaller(low, __shfl_xor_sync(0xffffffffu, low, other));
      high = larger(high, __shfl_xor_sync(0xffffffffu, high, other));
    }
    if (threadIdx.x % 32 == 0) {
      shared.low[threadIdx.x / 32] = low;
      shared.high[threadIdx.x / 32] = high;
    }
    bad = __syncthreads_or(bad);
    for (int warp = 0; warp < blockDim.x / 32; ++warp) {
      low = smaller(low, shared.low[warp]);
      high = larger(high, shared.high[warp]);
    }
  }

  __device__ int status(Value largest) const {
    if (bad) return kNoNumber;
    return high > Word(largest) || low < -Word(largest) ? kOutOfRange : kSound;
  }

  // Cycles between -slack and 0 are rounding: n sums of arcs, each rounded.
  __device__ double slack(int size) const {
    if (!Ops::kSums || Value(1) / 2 == Value(0) || !(low < Word(0))) return 0.0;
    const double rounding = sizeof(Value) == 4 ? 1.1920928955078125e-07 : 2.220446049250313e-16;
    return 4.0 * size * rounding * double(larger(-low, high));
  }
};

// A public value of a kernel value.
template <class Ops, class Word>
__device__ __forceinline__ typename Ops::Value published(Word word, bool is_zero) {
  using Value = typename Ops::Value;
  if (is_zero) return Value(0);
  if constexpr (Ops::kSums && Value(1) / 2 == Value(0)) {
    // Signed integers: with negative arcs "no path" drifts, but not below a quarter of the range.
    const Word least = sizeof(Value) == 2 ? Word(Ops::kNoPath) : Word(Ops::kNoPath / 2 + 1);
    if (word >= least) return Range<Value>::kMost;
  }
  return Value(word);
}

template <class Ops>
__device__ __forceinline__ constexpr typename Ops::Value public_no_path() {
  return Ops::kSums ? Range<typename Ops::Value>::kMost : Ops::kNoPath;
}

// A square tile in the registers of a block: a thread owns kRows x 4 neighbouring entries. Others see rows
// and columns of pivots, kDepth at a time, in shared memory.
template <class Ops, int kSide, int kRows, int kDepth>
struct SquareTile {
  using Value = typename Ops::Value;
  using One = typename Ops::Single;
  using Word = typename One::Word;
  static constexpr int kAcross = kSide / 4, kThreads = kAcross * (kSide / kRows);
  struct alignas(16) Four {
    Word at[4];
  };
  struct Panels {
    Four rows[kDepth][kAcross];       // [pivot][column / 4]
    Four columns[kDepth / 4][kSide];  // [pivot / 4][row]
  };
  const int x = threadIdx.x % kAcross, y = threadIdx.x / kAcross;
  Word own[kRows][4];

  // own = choose(own, columns join rows) through 4 pivots, but for four rows of the thread (none: -1). Rows
  // of so many pivots are in registers at a time as there is room for.
  __device__ __forceinline__ void relax(const Panels& panels, int fourth, int skipped) {
    constexpr int kHeld = kRows < 8 ? 4 : sizeof(Word) < 8 ? 2 : 1;
#pragma unroll
    for (int first = 0; first < 4; first += kHeld) {
      Four across[kHeld];
#pragma unroll
      for (int pivot = 0; pivot < kHeld; ++pivot) across[pivot] = panels.rows[4 * fourth + first + pivot][x];
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
              own[i][j] = One::relax(own[i][j], down.at[first + pivot], across[pivot].at[j]);
        }
      }
    }
  }

  // Floyd-Warshall. A closed walk shorter than -slack puts its vertex into found[0] if nothing is there yet
  // (-1); one between -slack and 0 becomes 0 and sets found[1]. Four pivots at a time: their threads close
  // their rows and show them, their columns are shown as they were: a path goes to the first of the four that
  // it meets, and on as the closed row of that pivot says. One barrier for four pivots: a copy is rewritten
  // two rounds later, when the barrier between has seen all its readers.
  __device__ void close(int size, double slack, int first_vertex, Panels (&panels)[2], int* found) {
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
          close_rows(part, owner, group, slack, first_vertex, found);
          if (y == owner) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
              shown.rows[i][x] = {own[4 * part + i][0], own[4 * part + i][1], own[4 * part + i][2],
                                  own[4 * part + i][3]};
          }
        }
        __syncthreads();
        relax(shown, 0, y == owner ? part : -1);
      }
    }
  }

  // All threads of a warp come here: a shuffle needs them.
  __device__ __forceinline__ void close_rows(int part, int owner, int group, double slack, int first_vertex,
                                             int* found) {
#pragma unroll
    for (int pivot = 0; pivot < 4; ++pivot) {
      const int row = 4 * part + pivot;
      if (Ops::kSums && y == owner && x == group && own[row][pivot] < Word(0)) {
        if (double(own[row][pivot]) < -slack) {
          if (found[0] == -1) found[0] = first_vertex + 4 * group + pivot;
        } else {
          found[1] = 1;
          own[row][pivot] = Word(0);
        }
      }
      Word across[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) across[j] = own[row][j];
#pragma unroll
      for (int i = 4 * part; i < 4 * part + 4; ++i) {
        const Word down = __shfl_sync(0xffffffffu, own[i][pivot], group, kAcross);
        if (y == owner) {
#pragma unroll
          for (int j = 0; j < 4; ++j) own[i][j] = One::relax(own[i][j], down, across[j]);
        }
      }
    }
  }
};

// All distances of graphs with at most kSide vertices, n <= kSide.
//
// A block owns one graph. A thread owns kRows x 4 neighbouring entries, in registers from first to last.
// Read: from (b, n, n) and sizes (b,) or null, public values. Written: to (b, n, n), status (b,); `to` may be
// `from`. No race: entries belong to threads; SquareTile::close says why what is shown is not.
template <class Ops, int kSide, int kRows, int kBlocks>
__global__ void __launch_bounds__(kSide / 4 * (kSide / kRows), kBlocks)
    close_small(const typename Ops::Value* from, long long from_graph, long long from_row,
                typename Ops::Value* to, long long to_graph, long long to_row, int n, const int* sizes,
                typename Ops::Value largest, int aligned, int* status) {
  using Value = typename Ops::Value;
  using Tile = SquareTile<Ops, kSide, kRows, 4>;
  __shared__ typename Tile::Panels panels[2];
  __shared__ typename Arcs<Ops>::Shared merging;
  __shared__ int found[2];
  Tile tile;
  Arcs<Ops> arcs;
  const int size = sizes == nullptr ? n : sizes[blockIdx.x], s = 4 * tile.x;
  from += blockIdx.x * from_graph + s;
  to += blockIdx.x * to_graph + s;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int r = kRows * tile.y + i;
    Quad<Value> read = {};
    if (aligned != 0 && r < size && s < size)
      read = *reinterpret_cast<const Quad<Value>*>(from + r * from_row);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const bool inside = r < size && s + j < size;
      if (aligned == 0 && inside) read.at[j] = from[r * from_row + j];
      tile.own[i][j] = inside ? arcs.take(read.at[j], r == s + j) : typename Tile::Word(Ops::kNoPath);
    }
  }
  if (threadIdx.x < 2) found[threadIdx.x] = threadIdx.x == 0 ? kSound : 0;
  arcs.merge(merging);
  const int refused = arcs.status(largest);
  if (refused != kSound) {
    if (threadIdx.x == 0) status[blockIdx.x] = refused;
    return;
  }
  const double slack = arcs.slack(size);
  tile.close(size, slack, 0, panels, found);
  if (threadIdx.x == 0) status[blockIdx.x] = found[0] == kSound && found[1] != 0 ? kRounded : found[0];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int r = kRows * tile.y + i;
    Quad<Value> write;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const bool inside = r < size && s + j < size;
      write.at[j] = inside ? published<Ops>(tile.own[i][j], r == s + j && slack > 0) : public_no_path<Ops>();
      if (aligned == 0 && r < n && s + j < n) to[r * to_row + j] = write.at[j];
    }
    if (aligned != 0 && r < n && s < n) *reinterpret_cast<Quad<Value>*>(to + r * to_row) = write;
  }
}

// The tiles of one larger graph, (size, size) in kernel values in global memory.
template <class Ops, int kSide>
struct TiledMatrix {
  static constexpr int kRows = kSide / 16, kDepth = 8;
  using Value = typename Ops::Value;
  using Tile = SquareTile<Ops, kSide, kRows, kDepth>;
  using Word = typename Tile::Word;
  using Panels = typename Tile::Panels;
  Value* data;
  long long row;
  int size;

  __device__ __forceinline__ Word at(int r, int s) const {
    return r < size && s < size ? Word(data[r * row + s]) : Word(Ops::kNoPath);
  }
  __device__ void load(Tile& tile, int top, int left) const {
    int r = top + kRows * tile.y;
    const int s = left + 4 * tile.x;
    const Value* from = data + r * row + s;
#pragma unroll
    for (int i = 0; i < kRows; ++i, ++r, from += row)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        tile.own[i][j] = r < size && s + j < size ? Word(from[j]) : Word(Ops::kNoPath);
  }
  __device__ void store(const Tile& tile, int top, int left) const {
    int r = top + kRows * tile.y;
    const int s = left + 4 * tile.x;
    Value* to = data + r * row + s;
#pragma unroll
    for (int i = 0; i < kRows; ++i, ++r, to += row)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        if (r < size && s + j < size) to[j] = Value(tile.own[i][j]);
  }

  // Tile (top, left) through the kSide pivots from `pivot` on. It may be one of the two panels that are read:
  // it is written when all have read. Panels are shown in two copies in turn, the next one on its way
  // meanwhile.
  __device__ void relax(int top, int left, int pivot, Panels (&panels)[2]) const {
    __syncthreads();
    Tile tile;
    load(tile, top, left);
    const int r = threadIdx.x / 4, p = threadIdx.x % 4 * 2, q = threadIdx.x * 2 / kSide,
              s = threadIdx.x * 2 % kSide;
    const int last = smaller(pivot + kSide, size);
    Word down[2], across[2];
#pragma unroll 1
    for (int first = pivot - kDepth; first < last; first += kDepth) {
      if (first >= pivot) {
        Panels& shown = panels[first / kDepth & 1];
#pragma unroll
        for (int k = 0; k < 2; ++k) {
          shown.columns[p / 4][r].at[p % 4 + k] = down[k];
          shown.rows[q][s / 4].at[s % 4 + k] = across[k];
        }
        __syncthreads();
      }
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        const bool more = first + kDepth < last;
        down[k] = more ? at(top + r, first + kDepth + p + k) : Word(Ops::kNoPath);
        across[k] = more ? at(first + kDepth + q, left + s + k) : Word(Ops::kNoPath);
      }
      if (first >= pivot) {
#pragma unroll
        for (int fourth = 0; fourth < kDepth / 4; ++fourth)
          tile.relax(panels[first / kDepth & 1], fourth, -1);
      }
    }
    store(tile, top, left);
  }

  __device__ void close_diagonal(int first, double slack, Panels (&panels)[2], int* found) const {
    __syncthreads();
    Tile tile;
    load(tile, first, first);
    tile.close(smaller(kSide, size - first), slack, first, panels, found);
    store(tile, first, first);
  }
};

// All distances of graphs of any size: tiles of kSide x kSide (64 or 128), each in registers while it is
// worked on.
//
// A block owns one graph. A thread owns kSide / 16 x 4 neighbouring entries of a tile, and every 32nd of a
// row when values become kernel values and public ones. Read and written: as close_small. No race: a barrier
// before every tile is read, and between the last read of a panel and its writing.
template <class Ops, int kSide>
__global__ void __launch_bounds__(kSide * 4, 1)
    close_large(const typename Ops::Value* from, long long from_graph, long long from_row,
                typename Ops::Value* to, long long to_graph, long long to_row, int n, const int* sizes,
                typename Ops::Value largest, int, int* status) {
  using Matrix = TiledMatrix<Ops, kSide>;
  __shared__ typename Matrix::Panels panels[2];
  __shared__ typename Arcs<Ops>::Shared merging;
  __shared__ int found[2];
  const int size = sizes == nullptr ? n : sizes[blockIdx.x], warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  constexpr int kWarps = Matrix::Tile::kThreads / 32;
  from += blockIdx.x * from_graph;
  const Matrix matrix{to + blockIdx.x * to_graph, to_row, size};
  Arcs<Ops> arcs;
#pragma unroll 1
  for (int r = warp; r < size; r += kWarps)
#pragma unroll 1
    for (int s = lane; s < size; s += 32)
      matrix.data[r * to_row + s] = typename Ops::Value(arcs.take(from[r * from_row + s], r == s));
  if (threadIdx.x < 2) found[threadIdx.x] = threadIdx.x == 0 ? kSound : 0;
  arcs.merge(merging);
  const int refused = arcs.status(largest);
  if (refused != kSound) {
    if (threadIdx.x == 0) status[blockIdx.x] = refused;
    return;
  }
  const double slack = arcs.slack(size);
  for (int pivot = 0; pivot < size; pivot += kSide) {
    matrix.close_diagonal(pivot, slack, panels, found);
    // First the two panels, then the rest.
#pragma unroll 1
    for (int rest = 0; rest < 2; ++rest)
#pragma unroll 1
      for (int top = 0; top < size; top += kSide)
#pragma unroll 1
        for (int left = 0; left < size; left += kSide)
          if ((top == pivot) + (left == pivot) == 1 - rest) matrix.relax(top, left, pivot, panels);
  }
  __syncthreads();
  if (threadIdx.x == 0) status[blockIdx.x] = found[0] == kSound && found[1] != 0 ? kRounded : found[0];
#pragma unroll 1
  for (int r = warp; r < n; r += kWarps)
#pragma unroll 1
    for (int s = lane; s < n; s += 32) {
      const bool inside = r < size && s < size;
      matrix.data[r * to_row + s] =
          inside ? published<Ops>(matrix.at(r, s), r == s && slack > 0) : public_no_path<Ops>();
    }
}

}  // namespace apsp
