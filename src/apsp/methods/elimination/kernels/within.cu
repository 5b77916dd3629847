// Sums of amounts over distances within a cutoff, one source per lane: the way down of elimination.cu without
// the lines on which no lane of a tile is within the cutoff, and then sums over the lines that are near.
#include "lines.cuh"
#include "weighing.cuh"

namespace apsp {

// Blocks per multiprocessor: fewer than in elimination.cu, since the choice of lines takes registers.
template <class Ops>
constexpr int kNearBlocks = sizeof(typename Ops::Word) == 8 ? 3 : 4;

// The words of a line, or "no path" if it is not near: then nothing was written there.
template <class Ops>
__device__ __forceinline__ void load_near(typename Ops::Word (&x)[kAhead], const typename Ops::Value* line,
                                          bool is_near, const LaneWords<Ops>& lanes) {
#pragma unroll
  for (int w = 0; w < kAhead; ++w) {
    x[w] = is_near ? load<Ops, true>(line, lanes, w) : in_all_lanes<Ops>(Ops::kNoPath);
    if constexpr (!kIsFloat<typename Ops::Value>) x[w] = least_of<Ops>(x[w], in_all_lanes<Ops>(Ops::kNoPath));
  }
}

// own = min(own, step + line) over the near ones of `count` lines (even). Returns whether there is one.
template <class Ops>
__device__ __forceinline__ bool extend_near(Own<Ops>& own, const typename Ops::Word* panel, int count,
                                            const int* from, const typename Ops::Value* dist,
                                            long long stride, const unsigned char* near,
                                            const LaneWords<Ops>& lanes) {
  using Word = typename Ops::Word;
  struct alignas(16) Steps {
    Word to[kGroup];
  };
  const Steps* steps = reinterpret_cast<const Steps*>(panel);
  const int own_lane = threadIdx.x % 32;
  bool any = false;
  int next_row = own_lane < count ? from[own_lane] : -1;
  for (int base = 0; base < count; base += 32) {
    const int row = next_row;
    next_row = base + 32 + own_lane < count ? from[base + 32 + own_lane] : -1;  // read ahead
    unsigned which = __ballot_sync(0xffffffffu, row >= 0 && near[row] != 0);
    any = any || which != 0;
    while (which != 0) {
      // Two near lines, or the last one and any other.
      const int first = __ffs(which) - 1;
      which &= which - 1;
      const bool has_other = which != 0;
      const int second = has_other ? __ffs(which) - 1 : first;
      which &= which - 1;
      Word x[2][kAhead];
      load_near<Ops>(x[0], dist + __shfl_sync(0xffffffffu, row, first) * stride, true, lanes);
      load_near<Ops>(x[1], dist + __shfl_sync(0xffffffffu, row, second) * stride, has_other, lanes);
      const Steps one = steps[base + first], other = steps[base + second];
#pragma unroll
      for (int i = 0; i < kGroup; ++i)
#pragma unroll
        for (int w = 0; w < kAhead; ++w)
          own.word[i][w] = Ops::relax2(own.word[i][w], one.to[i], x[0][w], other.to[i], x[1][w]);
    }
  }
  return any;
}

// Whether a lane of these words is below the ceiling.
template <class Ops>
__device__ __forceinline__ bool any_below(const typename Ops::Word (&word)[kAhead],
                                          typename Ops::Value ceiling) {
  bool found = false;
#pragma unroll
  for (int w = 0; w < kAhead; ++w) {
    if constexpr (Ops::kLanes == 2)
      found = found || __vcmpgeu2(word[w], in_all_lanes<Ops>(ceiling)) != 0xffffffffu;
    else
      found = found || word[w] < ceiling;
  }
  return found;
}

// What is below the ceiling among the distances of one level of the tree, from those of its rows; lanes in
// the subtree use their labels. Lanes are ordered by place, so that those of a tile are near each other.
//
// A warp owns a unit, a group of a supernode, in a group of up to 32 tiles. A thread owns kAhead words of
// each line of the group. Read: the near lines of the rows, parents (supernodes,), live of the parent, the
// unit's panel. Written: the near lines of the group, in public values, in whole words, since these decide
// what is near: a lane beyond the last one is a copy of it; near (tiles, n), whether a line is
// below the ceiling in a tile; live (supernodes, tiles), whether a row of the supernode is or a lane of its
// subtree is there. Both are 0 before. No race: what is read was written by earlier launches; live is written
// by the first group.
template <class Ops>
__global__ void __launch_bounds__(kThreads, kNearBlocks<Ops>)
    descend_within(typename Ops::Value* dist, long long stride, int width, const Node* nodes,
                   const int2* units, int count, const typename Ops::Word* panels, const int* rows,
                   const int* parents, const Span* spans, const typename Ops::Value* labels,
                   const int* position, typename Ops::Value ceiling, int tiles, int group_of_tiles,
                   long long places, unsigned char* near, unsigned char* live) {
  const int index = blockIdx.x * (kThreads / 32) + threadIdx.x / 32, own_lane = threadIdx.x % 32;
  if (index >= count) return;
  const int s = units[index].x, group = units[index].y;
  const Node node = nodes[s];
  const Span span = spans[s];
  const int parent = parents[s], depth = even(node.rows), used = min(node.columns - group * kGroup, kGroup);
  const typename Ops::Word* panel = panels + node.descent + static_cast<long long>(group) * depth * kGroup;
  for (int some = blockIdx.y * group_of_tiles; some < tiles; some += gridDim.y * group_of_tiles) {
    const int own_tile = own_lane < group_of_tiles ? some + own_lane : tiles;
    const bool inside =
        span.low < span.high && span.low < (own_tile + 1) * kTile<Ops> && span.high > own_tile * kTile<Ops>;
    const bool above =
        own_tile < tiles && parent >= 0 && live[static_cast<long long>(parent) * tiles + own_tile];
    const unsigned with_labels = __ballot_sync(0xffffffffu, own_tile < tiles && inside);
    unsigned which = with_labels | __ballot_sync(0xffffffffu, above);
    for (; which != 0; which &= which - 1) {
      const int bit = __ffs(which) - 1, tile = some + bit;
      const bool has_labels = with_labels >> bit & 1;
      const LaneWords<Ops> lanes(tile * kTile<Ops>, Ops::kLanes == 2 ? even(width) : width);
      Own<Ops> own;
      clear<Ops>(own);
      if (has_labels)
        take_labels<Ops>(own, labels + span.start + static_cast<long long>(group * kGroup) * span.width, span,
                         used, position, lanes, width);
      const bool reached =
          extend_near<Ops>(own, panel, depth, rows + node.list, dist, stride, near + tile * places, lanes);
      if (!reached && !has_labels) continue;
      if (group == 0 && own_lane == 0) live[static_cast<long long>(s) * tiles + tile] = 1;
#pragma unroll
      for (int i = 0; i < kGroup; ++i) {
        if (i >= used) break;
        if (!__any_sync(0xffffffffu, any_below<Ops>(own.word[i], ceiling))) continue;
        const long long line = node.first + group * kGroup + i;
        publish<Ops>(own.word[i], ceiling);
        store<Ops, true>(dist + line * stride, own.word[i], lanes, 0);
        if (own_lane == 0) near[tile * places + line] = 1;
      }
    }
  }
}

// Lines that a thread reads before it adds them up.
template <class T>
constexpr int kLines = sizeof(T) == 8 ? 4 : 8;

// sums[part, lane, c, k]: for each lane, and each of gridDim.y parts of the lines, the sum of the amounts k
// within cutoff c.
//
// A thread owns a lane in one part. Read: near lines (n, lanes), amounts in their order. Written: sums
// (gridDim.y, lanes, kCutoffs, kKinds). No race: each entry has one writer.
template <class T, int kKinds>
__global__ void __launch_bounds__(128)
    weigh_lines(const T* lines, long long stride, int count, int lanes, const unsigned char* near,
                int lanes_of_tile, Weighing<T, kKinds> weighing, double* sums) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x, own = threadIdx.x % 32;
  const int readable = min(lane, lanes - 1), tile = blockIdx.x * blockDim.x / lanes_of_tile;
  const unsigned char* of_tile = near + static_cast<long long>(tile) * count;
  const int length = (count + gridDim.y - 1) / gridDim.y;
  const int from = blockIdx.y * length, to = min(from + length, count);
  WeighedSums<T, kKinds> mine;
  mine.clear();
  for (int base = from; base < to; base += 32) {
    unsigned which = __ballot_sync(0xffffffffu, base + own < to && of_tile[base + own] != 0);
    while (which != 0) {
      T distances[kLines<T>];
      int places[kLines<T>];
#pragma unroll
      for (int u = 0; u < kLines<T>; ++u) {
        places[u] = base + (which != 0 ? __ffs(which) - 1 : 0);
        distances[u] = which != 0 ? lines[places[u] * stride + readable] : Range<T>::kMost;
        which &= which - 1;
      }
#pragma unroll
      for (int u = 0; u < kLines<T>; ++u) mine.add(weighing, distances[u], places[u]);
    }
  }
  if (lane >= lanes) return;
  double* to_sums = sums + (static_cast<long long>(blockIdx.y) * lanes + lane) * (kCutoffs * kKinds);
#pragma unroll
  for (int c = 0; c < kCutoffs; ++c)
#pragma unroll
    for (int k = 0; k < kKinds; ++k) to_sums[c * kKinds + k] = mine.of[c][k];
}

}  // namespace apsp
