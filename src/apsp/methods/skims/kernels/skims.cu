// Skims from the factor of an elimination over tuples of costs, one source per lane: up the tree among the
// ancestors of the lanes' vertices, and down to the targets. Carré 1971 (tuples are a (min,+) algebra).
//
// Tuples are compared in the order of the costs, and the first cost decides almost always: a thread looks for
// the step of the least first cost, and adds up the other costs of that step alone. First costs are float64,
// infinite where there is no path; the others are of no meaning then.
#include "lines.cuh"

namespace apsp {

constexpr double kNoCost = Range<double>::kMost;

// Lines or labels: first costs, and cost 1 + c of entry i at others[c * plane + i].
struct CostValues {
  double* first;
  double* others;
  long long plane;
};

// The factor: others[entry * kinds + c].
struct CostPanels {
  const double* first;
  const double* others;
  const long long* starts;  // (supernodes,) the entries of each: out (k, k + r), then in (r, k)
  long long kinds;
};

// The best ways to kGroup lines of one lane: first costs, and the last step of each; -1: the value that was
// there. Bit i of `ties`: other steps to line i may have the same first cost.
struct Chosen {
  double cost[kGroup];
  int step[kGroup];
  unsigned ties;
};

// Where the values before a step lie, and the entries of the steps: step h to line i.
struct Steps {
  CostValues from;
  CostPanels panels;
  long long entry;
  int stride;
};

// Cost c of a way over a step, or of the value at `own`.
template <class At>
__device__ __forceinline__ double other_cost(const Steps& steps, const At& at, const CostValues& before,
                                             long long own, int step, int i, int c) {
  if (step < 0) return before.others[c * before.plane + own];
  const long long entry = steps.entry + static_cast<long long>(step) * steps.stride + i;
  return steps.from.others[c * steps.from.plane + at(step)] +
         steps.panels.others[entry * steps.panels.kinds + c];
}

// Chooses among `count` steps to `used` lines by their first costs. at(h): the entry before step h.
template <class At>
__device__ __forceinline__ void choose(Chosen& best, const Steps& steps, int count, int used, const At& at) {
  best.ties = 0;
#pragma unroll 2
  for (int h = 0; h < count; ++h) {
    const double near = steps.from.first[at(h)];
    const double* to = steps.panels.first + steps.entry + static_cast<long long>(h) * steps.stride;
#pragma unroll
    for (int i = 0; i < kGroup; ++i) {
      const double sum = near + to[min(i, used - 1)];
      const bool is_less = sum < best.cost[i];
      const unsigned same = sum == best.cost[i] ? 1u << i : 0u;
      best.ties = is_less ? best.ties & ~(1u << i) : best.ties | same;
      best.cost[i] = is_less ? sum : best.cost[i];
      best.step[i] = is_less ? h : best.step[i];
    }
  }
}

// The costs of line i, whose value before was at `own`, become those of the entry `to`.
template <class At>
__device__ __forceinline__ void keep(const Steps& steps, int count, const At& at, const CostValues& before,
                                     long long own, int i, double cost, int step, bool is_tie,
                                     const CostValues& result, long long to) {
  result.first[to] = cost;
  if (!(cost < kNoCost)) return;
#pragma unroll 1
  for (int h = is_tie ? max(step, 0) : count; h < count; ++h) {
    const long long entry = steps.entry + static_cast<long long>(h) * steps.stride + i;
    if (steps.from.first[at(h)] + steps.panels.first[entry] != cost) continue;
#pragma unroll 1
    for (int c = 0; c < steps.panels.kinds; ++c) {
      const double mine = other_cost(steps, at, before, own, step, i, c);
      const double theirs = other_cost(steps, at, before, own, h, i, c);
      if (theirs < mine) step = h;
      if (theirs != mine) break;
    }
  }
#pragma unroll 1
  for (int c = 0; c < steps.panels.kinds; ++c)
    result.others[c * result.plane + to] = other_cost(steps, at, before, own, step, i, c);
}

// The entry of a place and a lane among labels.
__device__ __forceinline__ long long label_entry(int place, int lane, const int* owner, const Node* nodes,
                                                 const Span* spans) {
  const int s = owner[place];
  return spans[s].start + static_cast<long long>(place - nodes[s].first) * spans[s].width + lane -
         spans[s].first();
}

// Every lane costs nothing at its own vertex.
//
// A thread owns a lane. Read: places (lanes,). Written: one label a lane. No race: a label has one lane.
__global__ void seed_costs(const int* places, int lanes, const int* owner, const Node* nodes,
                           const Span* spans, int kinds, CostValues labels) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  const long long at = label_entry(places[lane], lane, owner, nodes, spans);
  labels.first[at] = 0;
  for (int c = 0; c < kinds; ++c) labels.others[c * labels.plane + at] = 0;
}

// Labels of one level of the tree: closed among the columns of each supernode, and propagated to its rows.
//
// A block owns a tile: a group of a supernode and 128 of the lanes in its subtree. A thread owns a lane.
// Read: the labels `open` of the columns and rows. Written: the labels `closed` of the columns; the labels
// `open` of the rows, if they become smaller. No race: a level writes to rows above it, and its subtrees
// share no lane.
__global__ void __launch_bounds__(128, 5)
    climb_costs(const Node* nodes, const Span* spans, const int* owner, const int* rows, const int* tiles,
                CostPanels panels, CostValues open, CostValues closed) {
  const int s = tiles[3 * blockIdx.x], group = tiles[3 * blockIdx.x + 1], tile = tiles[3 * blockIdx.x + 2];
  const Node node = nodes[s];
  const Span span = spans[s];
  const int lane = span.first() + tile * static_cast<int>(blockDim.x) + threadIdx.x;
  if (lane < span.low || lane >= span.high) return;
  const int k = node.columns, width = k + node.rows, used = min(width - group * kGroup, kGroup);
  const long long own_lane = span.start + lane - span.first();
  const auto at = [&](int h) { return own_lane + static_cast<long long>(h) * span.width; };
  const auto own = [&](int i) {
    const int to = group * kGroup + i;
    return to < k ? at(to) : label_entry(rows[node.list + to - k], lane, owner, nodes, spans);
  };
  const Steps steps{open, panels, panels.starts[s] + group * kGroup, width};
  Chosen best;
#pragma unroll
  for (int i = 0; i < kGroup; ++i) {
    best.cost[i] = i < used ? open.first[own(i)] : kNoCost;
    best.step[i] = -1;
  }
  choose(best, steps, k, used, at);
#pragma unroll
  for (int i = 0; i < kGroup; ++i) {
    if (i >= used) break;
    const bool is_column = group * kGroup + i < k;
    if (is_column || best.step[i] >= 0 || best.ties >> i & 1)
      keep(steps, k, at, open, own(i), i, best.cost[i], best.step[i], best.ties >> i & 1,
           is_column ? closed : open, own(i));
  }
}

// Costs of one level of the tree, from those of its rows; lanes in the subtree also use their labels.
//
// A block owns a unit, a group of a supernode, and every gridDim.y-th 128 lanes. A thread owns a lane. Read:
// the lines of the rows (through `from`), position (lanes,) of a lane among all labels. Written: the lines of
// the group. No race: lines that are read were written by earlier launches.
__global__ void __launch_bounds__(128, 5)
    descend_costs(const Node* nodes, const int2* units, const int* from, const int* line_of,
                  CostPanels panels, CostValues lines, long long stride, int width, const Span* spans,
                  CostValues labels, const int* position) {
  const int s = units[blockIdx.x].x, group = units[blockIdx.x].y;
  const Node node = nodes[s];
  const Span span = spans[s];
  const int k = node.columns, r = node.rows, used = min(k - group * kGroup, kGroup);
  const Steps steps{lines, panels, panels.starts[s] + static_cast<long long>(k) * (k + r) + group * kGroup,
                    k};
  for (int lane = blockIdx.y * blockDim.x + threadIdx.x; lane < width; lane += gridDim.y * blockDim.x) {
    const auto at = [&](int h) { return from[node.list + h] * stride + lane; };
    const int label = position[lane];
    const bool inside = label >= span.low && label < span.high;
    const auto own = [&](int i) {
      return span.start + static_cast<long long>(group * kGroup + i) * span.width + label - span.first();
    };
    Chosen best;
#pragma unroll
    for (int i = 0; i < kGroup; ++i) {
      best.cost[i] = inside && i < used ? labels.first[own(i)] : kNoCost;
      best.step[i] = -1;
    }
    choose(best, steps, r, used, at);
#pragma unroll
    for (int i = 0; i < kGroup; ++i) {
      if (i >= used) break;
      keep(steps, r, at, labels, own(i), i, best.cost[i], best.step[i], best.ties >> i & 1, lines,
           line_of[node.first + group * kGroup + i] * stride + lane);
    }
  }
}

// Rows of the matrices from lines: for each row the least of some lanes, with costs before each: the lane of
// the source, and for a zone, whose arcs the factor does not have, those of the heads of its arcs.
//
// A thread owns a row and a column. Read: begins (rows + 1,) of the lanes of each row, with costs
// (begins[rows], 1 + kinds); the lines `of` (columns,). Written: the rows of matrices (1 + kinds,), each
// (rows, columns). No race: an entry has one writer.
__global__ void write_costs(CostValues lines, long long stride, const int* of, int rows, int columns,
                            const int* begins, const int* lanes, const double* costs, int kinds,
                            const unsigned long long* matrices) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int column = blockIdx.y; column < columns; column += gridDim.y) {
    const long long line = of[column] * stride;
    const auto cost = [&](int j, int c) {
      return costs[static_cast<long long>(j) * (1 + kinds) + 1 + c] +
             lines.others[c * lines.plane + line + lanes[j]];
    };
    double best = kNoCost;
    int over = -1;
    for (int j = begins[row]; j < begins[row + 1]; ++j) {
      const double sum = costs[static_cast<long long>(j) * (1 + kinds)] + lines.first[line + lanes[j]];
      bool is_less = sum < best;
      for (int c = 0; c < kinds && sum == best && sum < kNoCost; ++c) {
        is_less = cost(j, c) < cost(over, c);
        if (cost(j, c) != cost(over, c)) break;
      }
      if (is_less) best = sum, over = j;
    }
    const long long entry = static_cast<long long>(row) * columns + column;
    reinterpret_cast<double*>(matrices[0])[entry] = best;
    for (int c = 0; c < kinds; ++c)
      reinterpret_cast<double*>(matrices[1 + c])[entry] = over < 0 ? kNoCost : cost(over, c);
  }
}

}  // namespace apsp
