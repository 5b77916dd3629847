// Many small graphs in one launch: Floyd-Warshall with one block of threads per graph, from public values to
// public values (blocking as Katz, Kider 2008, section 3).
#include "batch_rows.cuh"
#include "batch_tile.cuh"

namespace apsp {

template <class Value>
struct alignas(sizeof(Value) == 2 ? 8 : 16) Quad {
  Value at[4];
};

// All distances of graphs with at most kSide vertices, n <= kSide.
//
// A block owns one graph. A thread owns kRows x 4 neighbouring entries, in registers throughout.
// Read: from (b, n, n) and sizes (b,) or null, public values. Written: to (b, n, n), status (b,), and with
// kTracks pred (b, n, n), contiguous; `to` may be `from` without kTracks. No race: entries belong to threads;
// SquareTile::close explains the shared values. Distances are read again after a barrier.
template <class Ops, int kSide, int kRows, int kBlocks, bool kTracks>
__global__ void __launch_bounds__(kSide / 4 * (kSide / kRows), kBlocks)
    close_small(const typename Ops::Value* from, long long from_graph, long long from_row,
                typename Ops::Value* to, long long to_graph, long long to_row, int* pred, int n,
                const int* sizes, typename Ops::Value largest, int aligned, int* status) {
  using Value = typename Ops::Value;
  using Tile = SquareTile<Ops, kSide, kRows, 4, kTracks>;
  __shared__ typename Tile::Panels panels[2];
  __shared__ Meeting<typename Tile::Word> meeting;
  Tile tile;
  Arcs<Ops> arcs;
  const int size = sizes == nullptr ? n : sizes[blockIdx.x], s = 4 * tile.x;
  from += blockIdx.x * from_graph + s;
  to += blockIdx.x * to_graph + s;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int r = kRows * tile.y + i;
    if constexpr (kTracks) tile.before[i] = r * 0x01010101u;
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
  if (!accept(arcs, largest, meeting, status)) return;
  tile.close(size, 0, panels, meeting);
  report(meeting, arcs.unproven(), status);
  if constexpr (kTracks) pred += blockIdx.x * (static_cast<long long>(n) * n) + s;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int r = kRows * tile.y + i;
    Quad<Value> write;
    Quad<int> before;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const bool inside = r < size && s + j < size;
      write.at[j] = inside ? published<Ops>(tile.own[i][j]) : public_no_path<Ops>();
      if (aligned == 0 && r < n && s + j < n) to[r * to_row + j] = write.at[j];
      if constexpr (kTracks) {
        const bool has_path = r != s + j && write.at[j] != public_no_path<Ops>();
        before.at[j] = has_path ? tile.before[i] >> 8 * j & 255u : -1;
        if (aligned == 0 && r < n && s + j < n) pred[r * n + j] = before.at[j];
      }
    }
    if (aligned != 0 && r < n && s < n) {
      *reinterpret_cast<Quad<Value>*>(to + r * to_row) = write;
      if constexpr (kTracks) *reinterpret_cast<Quad<int>*>(pred + r * n) = before;
    }
  }
  if constexpr (kTracks && Ops::kSums && kIsFloat<Value>) {
    __syncthreads();
    bool fit = true;
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const int r = kRows * tile.y + i;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const Value head = tile.own[i][j];
        if (r >= size || s + j >= size || r == s + j || head == public_no_path<Ops>()) continue;
        const int before = tile.before[i] >> 8 * j & 255u;
        fit = fit && link_fits(to[r * to_row + before - s], from[before * from_row + j], head);
      }
    }
    report_links(meeting, fit, status);
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

  // Relaxes tile (top, left) through the kSide pivots from `pivot` on. It may be one of the two panels that
  // are read: then it is written after all threads have read it. Panels are published in two alternating
  // copies, and the next one is loaded meanwhile.
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

  __device__ void close_diagonal(int first, Panels (&panels)[2], Meeting<Word>& meeting) const {
    __syncthreads();
    Tile tile;
    load(tile, first, first);
    tile.close(smaller(kSide, size - first), first, panels, meeting);
    store(tile, first, first);
  }
};

// All distances of graphs of any size: tiles of kSide x kSide (64 or 128), each in registers while it is
// processed.
//
// A block owns one graph. A thread owns kSide / 16 x 4 neighbouring entries of a tile, and every 32nd entry
// of a row when values are converted to kernel values and back. Read and written: as close_small. No race: a
// barrier before every tile is read, and between the last read of a panel and its writing.
template <class Ops, int kSide>
__global__ void __launch_bounds__(kSide * 4, 1)
    close_large(const typename Ops::Value* from, long long from_graph, long long from_row,
                typename Ops::Value* to, long long to_graph, long long to_row, int* /*pred*/, int n,
                const int* sizes, typename Ops::Value largest, int /*aligned: values are read one by one*/,
                int* status) {
  using Matrix = TiledMatrix<Ops, kSide>;
  __shared__ typename Matrix::Panels panels[2];
  __shared__ Meeting<typename Matrix::Word> meeting;
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
  if (!accept(arcs, largest, meeting, status)) return;
  for (int pivot = 0; pivot < size; pivot += kSide) {
    matrix.close_diagonal(pivot, panels, meeting);
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
  report(meeting, arcs.unproven(), status);
#pragma unroll 1
  for (int r = warp; r < n; r += kWarps)
#pragma unroll 1
    for (int s = lane; s < n; s += 32) {
      const bool inside = r < size && s < size;
      matrix.data[r * to_row + s] = inside ? published<Ops>(matrix.at(r, s)) : public_no_path<Ops>();
    }
}

// All distances and predecessors of graphs of at most kMostRows vertices that do not fit into registers.
//
// A block owns one graph. A thread owns entries as TrackedRows describes them, and every 32nd entry of a row
// when values are converted to kernel values and back. Read and written: as close_small. No race: a barrier
// before columns and rows of pivots are read, and between the last read of the latter and their writing.
template <class Ops, int kGroup, int kMostRows, int kThreads>
__global__ void __launch_bounds__(kThreads, 1)
    close_large_tracked(const typename Ops::Value* from, long long from_graph, long long from_row,
                        typename Ops::Value* to, long long to_graph, long long to_row, int* pred, int n,
                        const int* sizes, typename Ops::Value largest,
                        int /*aligned: values are read one by one*/, int* status) {
  using Value = typename Ops::Value;
  using Rows = TrackedRows<Ops, kGroup, kMostRows>;
  using Word = typename Rows::Word;
  __shared__ typename Rows::Shared shared;
  __shared__ Meeting<Word> meeting;
  const int size = sizes == nullptr ? n : sizes[blockIdx.x], warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  constexpr int kWarps = kThreads / 32;
  from += blockIdx.x * from_graph;
  to += blockIdx.x * to_graph;
  pred += blockIdx.x * (static_cast<long long>(n) * n);
  Arcs<Ops> arcs;
#pragma unroll 1
  for (int r = warp; r < size; r += kWarps)
#pragma unroll 1
    for (int s = lane; s < size; s += 32) {
      to[r * to_row + s] = Value(arcs.take(from[r * from_row + s], r == s));
      pred[r * n + s] = r;
    }
  if (!accept(arcs, largest, meeting, status)) return;
  Rows(to, to_row, pred, n, size).close(shared, meeting);
  __syncthreads();
  report(meeting, arcs.unproven(), status);
  bool fit = true;
#pragma unroll 1
  for (int r = warp; r < n; r += kWarps)
#pragma unroll 1
    for (int s = lane; s < n; s += 32) {
      const bool inside = r < size && s < size;
      Value& value = to[r * to_row + s];
      if constexpr (Ops::kSums && kIsFloat<Value>) {  // kernel values are public ones
        if (inside && r != s && value != public_no_path<Ops>()) {
          const int before = pred[r * n + s];
          fit = fit && link_fits(to[r * to_row + before], from[before * from_row + s], value);
        }
      }
      const Value shown = inside ? published<Ops>(Word(value)) : public_no_path<Ops>();
      value = shown;
      if (r == s || shown == public_no_path<Ops>()) pred[r * n + s] = -1;
    }
  if constexpr (Ops::kSums && kIsFloat<Value>) report_links(meeting, fit, status);
}

}  // namespace apsp
