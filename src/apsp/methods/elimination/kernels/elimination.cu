// Rows and columns of all distances from the factor of an elimination, one source (or target) per lane: up
// the tree among the ancestors of the lane's vertex, and down to all vertices. Carré 1971 (back
// substitution); Delling, Goldberg, Nowatzyk, Werneck 2011 (PHAST), on supernodes.
//
// Distances are stored in lines: one per vertex, with one value per lane. Lines are written with the public
// "no path", which is converted to that of the kernels when they are read.
#include "lines.cuh"

namespace apsp {

// Packs the panels of the factor for the other kernels: for groups of kGroup lines that are written, and each
// line that is read, the kGroup steps from it (or to it) are contiguous.
//
// A block owns a unit, a group of a supernode. A thread owns every 128th step of it. Read: the values of the
// supernode, out (k, k + r) and in (r, k), in kernel values of the CPU. Written: the unit, (even(k) or
// even(r), kGroup). No race: a step has one writer.
//
// kClimbs: steps from columns to columns and rows; otherwise from rows to columns. `onwards`: along the arcs,
// as from sources; otherwise against them, as from targets.
template <class Ops, bool kClimbs>
__global__ void pack_panels(const Node* nodes, const int2* units, const typename Ops::Value* values,
                            const long long* starts, bool onwards, typename Ops::Word* panels) {
  const Node node = nodes[units[blockIdx.x].x];
  const int group = units[blockIdx.x].y, k = node.columns, r = node.rows;
  const int read = kClimbs ? k : r, written = kClimbs ? k + r : k, depth = even(read);
  const typename Ops::Value* out = values + starts[units[blockIdx.x].x];
  const typename Ops::Value* in = out + static_cast<long long>(k) * (k + r);
  typename Ops::Word* unit =
      panels + (kClimbs ? node.climb : node.descent) + static_cast<long long>(group) * depth * kGroup;
  for (int i = threadIdx.x; i < depth * kGroup; i += blockDim.x) {
    int from = i / kGroup, to = group * kGroup + i % kGroup;
    typename Ops::Value step = Ops::kNoPath;
    if (from < read && to < written) {
      if (!kClimbs) from += k;
      const int tail = onwards ? from : to, head = onwards ? to : from;
      step = tail < k ? out[static_cast<long long>(tail) * (k + r) + head]
                      : in[static_cast<long long>(tail - k) * k + head];
      if (Ops::better(Ops::kNoPath, step)) step = Ops::kNoPath;
    }
    unit[i] = in_all_lanes<Ops>(step);
  }
}

// The distance of every lane from its own vertex is 0.
//
// A thread owns a lane. Read: places (lanes,), owner (n,) the supernode of a place. Written: one label a
// lane. No race: a label has one lane.
template <class T>
__global__ void seed_labels(const int* places, int lanes, const int* owner, const Node* nodes,
                            const Span* spans, T* labels) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane < lanes) *(label_line(labels, places[lane], owner, nodes, spans) + lane) = T(0);
}

// Labels of one level of the tree: closed among the columns of each supernode, and propagated to its rows.
//
// A warp owns a tile: a group of a supernode and kTile of the lanes in its subtree. A thread owns kAhead
// words of each line of the group. Read: the labels `open` of the columns, the tile's panel. Written: the
// labels `closed` of the columns; the labels `open` of the rows, if they become smaller. No race: a level
// writes to rows above it, and its subtrees share no lane; words at the ends of a subtree are written value
// by value.
template <class Ops>
__global__ void __launch_bounds__(kThreads, kBlocks<Ops>)
    climb(const Node* nodes, const Span* spans, const int* owner, const int* rows, const int* tiles,
          int count, const typename Ops::Word* panels, typename Ops::Value* open,
          typename Ops::Value* closed) {
  using Value = typename Ops::Value;
  const int index = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
  if (index >= count) return;
  const int s = tiles[3 * index], group = tiles[3 * index + 1], tile = tiles[3 * index + 2];
  const Node node = nodes[s];
  const Span span = spans[s];
  const LaneWords<Ops> lanes(span.first() + tile * kTile<Ops>, span.high);
  const Value* columns = open + span.start - span.first();
  Own<Ops> own;
  clear<Ops>(own);
  const int depth = even(node.columns);
  extend<Ops, true, false>(
      own, panels + node.climb + static_cast<long long>(group) * depth * kGroup, depth,
      [&](int h) { return columns + static_cast<long long>(min(h, node.columns - 1)) * span.width; }, lanes);
#pragma unroll
  for (int i = 0; i < kGroup; ++i) {
    const int to = group * kGroup + i;
    if (to < node.columns) {
      Value* line = closed + span.start - span.first() + static_cast<long long>(to) * span.width;
      store<Ops, true>(line, own.word[i], lanes, span.low);
    } else if (to < node.columns + node.rows) {
      Value* line = label_line(open, rows[node.list + to - node.columns], owner, nodes, spans);
#pragma unroll
      for (int w = 0; w < kAhead; ++w)
        own.word[i][w] = least_of<Ops>(own.word[i][w], load<Ops, true>(line, lanes, w));
      store<Ops, true>(line, own.word[i], lanes, span.low);
    }
  }
}

// Distances of one level of the tree, from those of its rows; lanes in the subtree also use their labels.
//
// A warp owns a unit, a group of a supernode, and every gridDim.y-th tile of kTile lanes. A thread owns
// kAhead words of each line of the group. Read: the lines of the rows (through `from`, (lists,)), position
// (lanes,) of a lane among all labels, the unit's panel. Written: the lines of the group, in public values;
// *out_of_range if a value is at or below `least`. No race: lines that are read were written by earlier
// launches.
template <class Ops, bool kAligned>
__global__ void __launch_bounds__(kThreads, kBlocks<Ops>)
    descend(typename Ops::Value* dist, long long stride, int width, const Node* nodes, const int2* units,
            int count, const typename Ops::Word* panels, const int* from, const int* line_of,
            const Span* spans, const typename Ops::Value* labels, const int* position,
            typename Ops::Value ceiling, typename Ops::Value least, int* out_of_range) {
  using Value = typename Ops::Value;
  const int index = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
  if (index >= count) return;
  const int s = units[index].x, group = units[index].y;
  const Node node = nodes[s];
  const Span span = spans[s];
  const int depth = even(node.rows), used = min(node.columns - group * kGroup, kGroup);
  const typename Ops::Word* panel = panels + node.descent + static_cast<long long>(group) * depth * kGroup;
  for (int first = blockIdx.y * kTile<Ops>; first < width; first += gridDim.y * kTile<Ops>) {
    const LaneWords<Ops> lanes(first, width);
    Own<Ops> own;
    clear<Ops>(own);
    take_labels<Ops>(own, labels + span.start + static_cast<long long>(group * kGroup) * span.width, span,
                     used, position, lanes, width);
    extend<Ops, kAligned, true>(
        own, panel, depth, [&](int h) { return dist + from[node.list + h] * stride; }, lanes);
    if (any_at_or_below<Ops>(own, used, least)) *out_of_range = 1;
#pragma unroll
    for (int i = 0; i < kGroup; ++i) {
      if (i >= used) break;
      publish<Ops>(own.word[i], ceiling);
      store<Ops, kAligned>(dist + line_of[node.first + group * kGroup + i] * stride, own.word[i], lanes, 0);
    }
  }
}

// Paths that begin at zones: their lanes from those of the heads of their arcs.
//
// A block owns a line. A thread owns every 128th of the listed lanes in it. Read: listed (lanes,) the lanes
// of zones, their arcs start (lanes + 1,), heads (lanes of heads) and weights. Written: the listed lanes
// of the line. No race: a listed lane has one writer and no reader.
template <class Ops>
__global__ void leave_zones(typename Ops::Value* dist, long long stride, const int* listed, int count,
                            const int* start, const int* heads, const typename Ops::Value* weights,
                            typename Ops::Value ceiling) {
  using Value = typename Ops::Value;
  Value* line = dist + blockIdx.x * stride;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    Value best = line[listed[i]];
    for (int arc = start[i]; arc < start[i + 1]; ++arc) {
      const Value onward = line[heads[arc]];
      if (onward == Range<Value>::kMost) continue;
      const Value sum = static_cast<Value>(weights[arc] + onward);
      if (sum < ceiling && sum < best) best = sum;
    }
    line[listed[i]] = best;
  }
}

// out[i, j] = line(of[j])[i]: rows of distances from lines.
//
// A block owns a tile of 32 x 32. A thread owns four values of it. Read: 32 lines, of (columns,). Written: 32
// rows. No race: each value of out has one writer; a barrier lies between the two uses of shared memory.
template <class T>
__global__ void turn_lines(const T* lines, long long stride, const int* of, int rows, int columns, T* out,
                           long long out_stride) {
  __shared__ T tile[32][33];
  const int row = blockIdx.x * 32, column = blockIdx.y * 32, x = threadIdx.x % 32, y = threadIdx.x / 32;
#pragma unroll
  for (int k = y; k < 32; k += 8)
    if (column + k < columns && row + x < rows) tile[k][x] = lines[of[column + k] * stride + row + x];
  __syncthreads();
#pragma unroll
  for (int k = y; k < 32; k += 8)
    if (row + k < rows && column + x < columns) out[(row + k) * out_stride + column + x] = tile[x][k];
}

}  // namespace apsp
