// The factor of an elimination, level after level of its tree: Carré 1971, on dense fronts (Duff and Reid
// 1983), which do not depend on each other within a level. Several weights of the same arcs (periods) are
// independent, too: blockIdx of the last dimension is the period.
//
// Integers of at least 0, in the kernel values of the CPU: "no path" is larger than any length, and a sum of
// two values does not wrap in Wide.
//
// The front of a supernode with k columns and r rows has k + r lines: out (k, k + r) and in (r, k), which
// stay in the factor, and rest (r, r), which its parent takes.
#include "dynamic_shared.cuh"
#include "semiring.cuh"

namespace apsp {

template <class T>
struct WideOf {
  using Type = T;
};
template <>
struct WideOf<unsigned short> {
  using Type = int;
};
template <class T>
using Wide = typename WideOf<T>::Type;

// As in factorise.py. `list`: where its rows begin in the lists.
struct Front {
  long long panel, rest;
  int first, columns, rows, list, child, next;
};

// The arrays of a factor: of each period values (entries) and rests (rest_entries); of each row of a list its
// place, and its place in the front of the parent.
template <class T>
struct Factor {
  const Front* fronts;
  const int *places, *above;
  T *values, *rests;
  long long entries, rest_entries;

  __device__ __forceinline__ T* values_of(const Front& front, int period) const {
    return values + period * entries + front.panel;
  }
  __device__ __forceinline__ T* rest_of(const Front& front, int period) const {
    return rests + period * rest_entries + front.rest;
  }
};

// The first of `count` ascending numbers that is at least `least`.
__device__ __forceinline__ int lower_bound(const int* numbers, int count, int least) {
  int low = 0;
  while (count > 0) {
    const int half = count / 2;
    if (numbers[low + half] < least) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return low;
}

// A front in memory.
template <class T>
struct Lines {
  T *out, *in, *rest;
  int k, r;

  __device__ __forceinline__ T& at(int row, int column) const {
    if (row < k) return out[row * static_cast<long long>(k + r) + column];
    if (column < k) return in[(row - k) * static_cast<long long>(k) + column];
    return rest[(row - k) * static_cast<long long>(r) + column - k];
  }
};

template <class T>
__device__ __forceinline__ Lines<T> lines_of(const Factor<T>& factor, const Front& front, int period) {
  T* out = factor.values_of(front, period);
  return {out, out + front.columns * static_cast<long long>(front.columns + front.rows),
          factor.rest_of(front, period), front.columns, front.rows};
}

// Writes the arcs into the panels, and 0 from each vertex to itself. All values are "no path" before.
//
// A thread owns a vertex in one period. Read: the graph, indptr (n + 1,), heads and weights (periods, m);
// place (n,) of each vertex, owner (n,) of each place, closed (n,) or null. Written: values; strays (1,), 1
// if the tree has no entry for an arc. No race: an entry has one arc.
template <class T>
__global__ void place_arcs(Factor<T> factor, const int* owner, const int* place, const unsigned char* closed,
                           int n, const long long* indptr, const int* heads, const T* weights, long long m,
                           int* strays) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x, period = blockIdx.y;
  if (v >= n) return;
  const int from = place[v];
  const auto write = [&](int to, T length) {
    const Front front = factor.fronts[owner[min(from, to)]];
    const int* rows = factor.places + front.list;
    const int least = min(from, to) - front.first, other = max(from, to);
    int most = other - front.first;
    if (most >= front.columns) {
      const int row = lower_bound(rows, front.rows, other);
      if (row == front.rows || rows[row] != other) {
        *strays = 1;
        return;
      }
      most = front.columns + row;
    }
    const Lines<T> lines = lines_of(factor, front, period);
    (from < to ? lines.at(least, most) : lines.at(most, least)) = length;
  };
  write(from, T(0));
  if (closed != nullptr && closed[v]) return;
  for (long long arc = indptr[v]; arc < indptr[v + 1]; ++arc)
    if (heads[arc] != v) write(place[heads[arc]], weights[period * m + arc]);
}

// Closes small fronts of one level, with what their children hand up, in shared memory.
//
// A block owns a front in one period, a warp every 4th of its lines in turn, a lane every 32nd entry of a
// line. Read: the panels, the rests of the children. Written: the panels, the rest. No race: a line has one
// warp; a pivot line does not change in its step; barriers lie between children, and between steps.
template <class T>
__global__ void __launch_bounds__(128) close_small(Factor<T> factor, const int* which, T none) {
  APSP_DYNAMIC_SHARED(uint4, shared);
  const Front front = factor.fronts[which[blockIdx.x]];
  const int period = blockIdx.y, k = front.columns, r = front.rows, width = k + r;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  T* out = reinterpret_cast<T*>(shared);
  T* in = out + k * width;
  T* values = factor.values_of(front, period);
  T* rest = factor.rest_of(front, period);
  const int size = k * (width + r);
  for (int i = threadIdx.x; i < size; i += blockDim.x) out[i] = values[i];
  for (int i = threadIdx.x; i < r * r; i += blockDim.x) rest[i] = none;
  const Lines<T> lines{out, in, rest, k, r};
  for (int c = front.child; c >= 0; c = factor.fronts[c].next) {
    __syncthreads();
    const Front child = factor.fronts[c];
    const int* to = factor.above + child.list;
    const T* from = factor.rest_of(child, period);
    for (int i = warp; i < child.rows; i += warps)
      for (int j = lane; j < child.rows; j += 32) {
        T& entry = lines.at(to[i], to[j]);
        entry = smaller(entry, from[i * child.rows + j]);
      }
  }
  for (int p = 0; p < k; ++p) {
    __syncthreads();
    const T* pivot = out + p * width;
    for (int i = warp; i < width; i += warps) {
      T* line = i < k ? out + i * width : in + (i - k) * k;
      const Wide<T> before = line[p];
      if (i == p || before >= none) continue;
      for (int j = lane; j < (i < k ? width : k); j += 32) {
        const Wide<T> sum = before + pivot[j];
        if (sum < line[j]) line[j] = static_cast<T>(sum);
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += blockDim.x) values[i] = out[i];
  for (int i = warp; i < r; i += warps)
    for (int j = lane; j < r; j += 32) {
      Wide<T> best = rest[i * r + j];
      for (int p = 0; p < k; ++p)
        best = smaller<Wide<T>>(best, static_cast<Wide<T>>(in[i * k + p]) + out[p * width + k + j]);
      rest[i * r + j] = static_cast<T>(best);
    }
}

constexpr int kSide = 32;  // of a tile of a large front

// The tiles of a front: those of its columns, then those of its rows.
struct Tiles {
  int columns, all;
  __device__ __forceinline__ explicit Tiles(const Front& front)
      : columns((front.columns + kSide - 1) / kSide), all(columns + (front.rows + kSide - 1) / kSide) {}
};

// The lines [first, first + count) of a front.
struct Range32 {
  int first, count;
  __device__ __forceinline__ Range32(const Front& front, const Tiles& tiles, int tile) {
    const bool column = tile < tiles.columns;
    first = column ? tile * kSide : front.columns + (tile - tiles.columns) * kSide;
    count = min(kSide, (column ? front.columns : front.columns + front.rows) - first);
  }
};

template <class T>
using Tile = T[kSide][kSide + 1];

template <class T>
__device__ __forceinline__ void read_tile(Tile<T>& tile, const Lines<T>& lines, Range32 rows, Range32 columns,
                                          T none) {
  for (int i = threadIdx.x / kSide; i < kSide; i += blockDim.x / kSide) {
    const int j = threadIdx.x % kSide;
    const bool inside = i < rows.count && j < columns.count;
    tile[i][j] = inside ? lines.at(rows.first + i, columns.first + j) : none;
  }
}

template <class T>
__device__ __forceinline__ void write_tile(const Tile<T>& tile, const Lines<T>& lines, Range32 rows,
                                           Range32 columns) {
  for (int i = threadIdx.x / kSide; i < rows.count; i += blockDim.x / kSide) {
    const int j = threadIdx.x % kSide;
    if (j < columns.count) lines.at(rows.first + i, columns.first + j) = tile[i][j];
  }
}

// What the children hand up, into large fronts of one level.
//
// A block owns a tile of a front in one period; blocks beyond the last tile do nothing. Read: the panels, the
// rests of the children. Written: the tile. No race: barriers lie between children.
template <class T>
__global__ void __launch_bounds__(256) take_children(Factor<T> factor, const int* which, T none) {
  __shared__ T tile[kSide][kSide + 1];
  const Front front = factor.fronts[which[blockIdx.y]];
  const Tiles tiles(front);
  const int period = blockIdx.z;
  if (blockIdx.x >= tiles.all * tiles.all) return;
  const Range32 rows(front, tiles, blockIdx.x / tiles.all), columns(front, tiles, blockIdx.x % tiles.all);
  const Lines<T> lines = lines_of(factor, front, period);
  const bool between = rows.first >= front.columns && columns.first >= front.columns;
  if (between) {
    for (int i = threadIdx.x; i < kSide * kSide; i += blockDim.x) tile[i / kSide][i % kSide] = none;
  } else {
    read_tile(tile, lines, rows, columns, none);
  }
  for (int c = front.child; c >= 0; c = factor.fronts[c].next) {
    const Front child = factor.fronts[c];
    const int* to = factor.above + child.list;
    const T* from = factor.rest_of(child, period);
    const int low = lower_bound(to, child.rows, rows.first),
              left = lower_bound(to, child.rows, columns.first);
    const int high = lower_bound(to, child.rows, rows.first + rows.count);
    const int wide = lower_bound(to, child.rows, columns.first + columns.count) - left;
    if (low >= high || wide <= 0) continue;  // the same for all threads
    __syncthreads();
    for (int i = threadIdx.x; i < (high - low) * wide; i += blockDim.x) {
      const int row = low + i / wide, column = left + i % wide;
      T& entry = tile[to[row] - rows.first][to[column] - columns.first];
      entry = smaller(entry, from[row * static_cast<long long>(child.rows) + column]);
    }
  }
  __syncthreads();
  write_tile(tile, lines, rows, columns);
}

// Closes the `step`-th tile on the diagonal of large fronts of one level.
//
// A block owns the tile of a front in one period. Read and written: the tile. No race: a pivot line does not
// change in its step, and a barrier lies between steps.
template <class T>
__global__ void __launch_bounds__(256) close_pivot(Factor<T> factor, const int* which, int step, T none) {
  __shared__ T tile[kSide][kSide + 1];
  const Front front = factor.fronts[which[blockIdx.x]];
  const Tiles tiles(front);
  if (step >= tiles.columns) return;
  const Lines<T> lines = lines_of(factor, front, static_cast<int>(blockIdx.y));
  const Range32 range(front, tiles, step);
  read_tile(tile, lines, range, range, none);
  for (int p = 0; p < range.count; ++p) {
    __syncthreads();
    const int j = threadIdx.x % kSide;
    for (int i = threadIdx.x / kSide; i < kSide; i += blockDim.x / kSide) {
      const Wide<T> sum = static_cast<Wide<T>>(tile[i][p]) + tile[p][j];
      if (sum < tile[i][j]) tile[i][j] = static_cast<T>(sum);
    }
  }
  __syncthreads();
  write_tile(tile, lines, range, range);
}

// The other tiles of the pivot's lines and columns: paths that begin, or end, with a path in the pivot's
// tile.
//
// A block owns a tile of a front in one period: blockIdx.x counts those of the lines, then those of the
// columns. Read: the pivot's tile. Written: the tile. No race: the tile is read from shared memory.
template <class T>
__global__ void __launch_bounds__(256) extend_pivot(Factor<T> factor, const int* which, int step, T none) {
  __shared__ T pivot[kSide][kSide + 1], tile[kSide][kSide + 1];
  const Front front = factor.fronts[which[blockIdx.y]];
  const Tiles tiles(front);
  const int other = blockIdx.x / 2;
  const bool after = blockIdx.x % 2 == 0;  // the tile is to the right of the pivot's, or below it
  if (step >= tiles.columns || other >= tiles.all || other == step) return;
  const Lines<T> lines = lines_of(factor, front, static_cast<int>(blockIdx.z));
  const Range32 range(front, tiles, step), rest(front, tiles, other);
  const Range32 &rows = after ? range : rest, &columns = after ? rest : range;
  read_tile(pivot, lines, range, range, none);
  read_tile(tile, lines, rows, columns, none);
  __syncthreads();
  const int j = threadIdx.x % kSide;
  for (int i = threadIdx.x / kSide; i < rows.count; i += blockDim.x / kSide) {
    if (j >= columns.count) continue;
    Wide<T> best = tile[i][j];
    for (int p = 0; p < range.count; ++p)
      best = smaller<Wide<T>>(best, after ? static_cast<Wide<T>>(pivot[i][p]) + tile[p][j]
                                          : static_cast<Wide<T>>(tile[i][p]) + pivot[p][j]);
    lines.at(rows.first + i, columns.first + j) = static_cast<T>(best);
  }
}

// All other tiles: paths through the pivot's columns.
//
// A block owns a tile of a front in one period. Read: the tiles of the pivot's lines and columns. Written:
// the tile. No race: it is in neither.
template <class T>
__global__ void __launch_bounds__(256) through_pivot(Factor<T> factor, const int* which, int step, T none) {
  __shared__ T before[kSide][kSide + 1], onward[kSide][kSide + 1];
  const Front front = factor.fronts[which[blockIdx.y]];
  const Tiles tiles(front);
  const int row = blockIdx.x / tiles.all, column = blockIdx.x % tiles.all;
  if (step >= tiles.columns || row >= tiles.all || row == step || column == step) return;
  const Lines<T> lines = lines_of(factor, front, static_cast<int>(blockIdx.z));
  const Range32 range(front, tiles, step), rows(front, tiles, row), columns(front, tiles, column);
  read_tile(before, lines, rows, range, none);
  read_tile(onward, lines, range, columns, none);
  __syncthreads();
  const int j = threadIdx.x % kSide;
  constexpr int kEach = 4;
  Wide<T> best[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) best[e] = none;
  const int i = threadIdx.x / kSide;
  for (int p = 0; p < range.count; ++p) {
    const Wide<T> last = onward[p][j];
#pragma unroll
    for (int e = 0; e < kEach; ++e) best[e] = smaller<Wide<T>>(best[e], before[i + 8 * e][p] + last);
  }
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    if (i + 8 * e >= rows.count || j >= columns.count) continue;
    T& entry = lines.at(rows.first + i + 8 * e, columns.first + j);
    if (best[e] < entry) entry = static_cast<T>(best[e]);
  }
}

}  // namespace apsp
