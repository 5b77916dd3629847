#include "elimination/cost_factor.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "elimination/kernels.hpp"
#include "elimination/schedule.hpp"
#include "runtime/large_pages.hpp"
#include "semiring/algebra.hpp"

namespace apsp::elimination {
namespace {

constexpr double kNone = semiring::Bounds<double>::kNoPath;
constexpr std::int64_t kSharedFront = 96;  // from which on all threads work on one front
constexpr std::int64_t kPivots = 16;       // columns that are eliminated together

struct Range {
  std::int64_t first, last;
};

// Whether the costs a[c * stride] are less than the costs b[c * b_stride].
bool less(const double* a, std::int64_t stride, const double* b, std::int64_t b_stride, std::int64_t kinds) {
  for (std::int64_t c = 0; c < kinds; ++c)
    if (a[c * stride] != b[c * b_stride]) return a[c * stride] < b[c * b_stride];
  return false;
}

// A front while it is eliminated: a line for each of its columns and rows, with a lane for each.
struct Front {
  std::int64_t k = 0, r = 0, kinds = 0, lanes = 0;
  Buffer<double> first, others;
  std::int64_t allocated = 0;    // first costs
  std::vector<std::int64_t> to;  // scratch of take

  void open(std::int64_t columns, std::int64_t rows, std::int64_t others_of_each) {
    k = columns, r = rows, kinds = others_of_each;
    lanes = (k + r + kCostLanes - 1) / kCostLanes * kCostLanes;
    const std::int64_t size = (k + r) * lanes;
    if (size > allocated) {
      allocated = std::max(size, 2 * allocated);
      first = on_large_pages<double>(allocated);
      others = on_large_pages<double>(allocated * kinds);
    }
  }
  CostLines lines(std::int64_t lane) const { return {first.get() + lane, others.get() + lane, lanes, kinds}; }
  double* line(std::int64_t i) const { return first.get() + i * lanes; }
  double* other_line(std::int64_t i) const { return others.get() + i * kinds * lanes; }
};

class CostElimination {
 public:
  CostElimination(const TreeView& tree, const CostArcs& arcs, const CostFactor& factor, Team& team,
                  Control& control)
      : tree_(tree),
        arcs_(arcs),
        factor_(factor),
        kinds_(factor.kinds),
        team_(team),
        control_(control),
        rest_(static_cast<std::size_t>(tree.nodes)),
        children_(tree),
        fronts_(static_cast<std::size_t>(team.size())) {}

  void assemble() {
    const std::vector<Vertex> place = places_of(tree_), node = nodes_of(tree_);
    team_.parallel_for(tree_.nodes, [&](std::int64_t s, int) {
      std::fill(factor_.first + tree_.panel_start[s], factor_.first + tree_.panel_start[s + 1], kNone);
    });
    constexpr std::int64_t kAtOnce = 1024;
    team_.parallel_for((tree_.n + kAtOnce - 1) / kAtOnce, [&](std::int64_t index, int) {
      control_.check();
      for (std::int64_t v = index * kAtOnce; v < std::min(tree_.n, (index + 1) * kAtOnce); ++v) {
        const std::int64_t self = entry(place[v], place[v], node);
        factor_.first[self] = 0;
        std::fill_n(factor_.others + self * kinds_, kinds_, 0.0);
        if (arcs_.graph.zones != nullptr && arcs_.graph.zones[v]) continue;
        for (std::int64_t arc = arcs_.graph.indptr[v]; arc < arcs_.graph.indptr[v + 1]; ++arc) {
          const std::int64_t at = entry(place[v], place[arcs_.graph.indices[arc]], node);
          const double* costs = arcs_.of(arc);
          double *first = factor_.first + at, *others = factor_.others + at * kinds_;
          const bool is_tie = costs[0] == *first && costs[0] < kNone;
          if (costs[0] < *first || (is_tie && less(costs + 1, 1, others, 1, kinds_))) {
            *first = costs[0];
            std::copy_n(costs + 1, kinds_, others);
          }
        }
      }
    });
  }

  void run() {
    const Schedule schedule = schedule_of(tree_, team_.size());
    team_.parallel_for(static_cast<std::int64_t>(schedule.subtrees.size()),
                       [&](std::int64_t index, int member) {
                         Team alone(1);
                         for (const Vertex s : schedule.subtrees[index]) eliminate(s, fronts_[member], alone);
                       });
    Team alone(1);
    for (const std::vector<Vertex>& level : schedule.levels) {
      if (static_cast<int>(level.size()) >= team_.size()) {
        team_.parallel_for(static_cast<std::int64_t>(level.size()), [&](std::int64_t index, int member) {
          Team own(1);
          eliminate(level[index], fronts_[member], own);
        });
        continue;
      }
      for (const Vertex s : level) {
        const bool large = tree_.columns(s) + tree_.row_count(s) >= kSharedFront;
        eliminate(s, fronts_[0], large ? team_ : alone);
      }
    }
  }

 private:
  std::int64_t entry(Vertex from, Vertex to, const std::vector<Vertex>& node) const {
    return elimination::entry_of(tree_, node, from, to);
  }

  // body(range) for parts of [0, count), on all threads of the team.
  template <class Body>
  void split(std::int64_t count, Team& team, const Body& body) const {
    control_.check();
    if (team.size() == 1) return body(Range{0, count});
    const std::int64_t each = std::max<std::int64_t>(count / (4 * team.size()), 1);
    team.parallel_for((count + each - 1) / each, [&](std::int64_t part, int) {
      control_.check();
      body(Range{part * each, std::min(count, (part + 1) * each)});
    });
  }

  void eliminate(std::int64_t s, Front& front, Team& team) {
    const std::int64_t k = tree_.columns(s), r = tree_.row_count(s), out = tree_.panel_start[s];
    const std::int64_t in = out + k * (k + r);
    front.open(k, r, kinds_);
    split(k + r, team, [&](Range lines) { load(front, lines, out, in); });
    for (Vertex child = children_.first[s]; child >= 0; child = children_.next[child])
      take(child, front, s, team);
    close(front, team);
    split(k + r, team, [&](Range lines) { store(front, lines, {0, k}, out, in); });
    if (r == 0) return;
    extend(front, k, {0, k}, out, k + r, team);  // from the columns to the rows
    extend(front, 0, {k, k + r}, in, k, team);   // from the rows to all
    rest_[s].reset(new double[static_cast<std::size_t>(r * r * (1 + kinds_))]);
    split(k + r, team, [&](Range lines) {
      store(front, {lines.first, std::min(lines.last, k)}, {k, k + r}, out, in);
      store(front, {std::max(lines.first, k), lines.last}, {0, k}, out, in);
      leave(front, {std::max(lines.first, k), lines.last}, rest_[s].get());
    });
  }

  // The entry of the factor for lane 0 of a line, whose entries begin at `out` and `in`.
  static std::int64_t entry_of(const Front& front, std::int64_t line, std::int64_t out, std::int64_t in) {
    return line < front.k ? out + line * (front.k + front.r) : in + (line - front.k) * front.k;
  }

  void load(Front& front, Range lines, std::int64_t out, std::int64_t in) const {
    for (std::int64_t i = lines.first; i < lines.last; ++i) {
      const std::int64_t entry = entry_of(front, i, out, in),
                         width = i < front.k ? front.k + front.r : front.k;
      double *line = front.line(i), *others = front.other_line(i);
      std::copy_n(factor_.first + entry, width, line);
      std::fill(line + width, line + front.lanes, kNone);
      for (std::int64_t j = 0; j < width; ++j)
        if (line[j] < kNone)
          for (std::int64_t c = 0; c < kinds_; ++c)
            others[c * front.lanes + j] = factor_.others[(entry + j) * kinds_ + c];
    }
  }

  // Some lanes of some lines become entries of the factor.
  void store(const Front& front, Range lines, Range lanes, std::int64_t out, std::int64_t in) const {
    for (std::int64_t i = lines.first; i < lines.last; ++i) {
      const std::int64_t entry = entry_of(front, i, out, in);
      const double *line = front.line(i), *others = front.other_line(i);
      std::copy(line + lanes.first, line + lanes.last, factor_.first + entry + lanes.first);
      for (std::int64_t j = lanes.first; j < lanes.last; ++j)
        for (std::int64_t c = 0; c < kinds_; ++c)
          factor_.others[(entry + j) * kinds_ + c] = others[c * front.lanes + j];
    }
  }

  // What a child leaves among its rows becomes part of the front of s.
  void take(Vertex child, Front& front, std::int64_t s, Team& team) {
    const std::int64_t count = tree_.row_count(child);
    const Vertex *rows = tree_.rows_of(child), *own = tree_.rows_of(s);
    front.to.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0, at = 0; i < count; ++i) {
      if (rows[i] < tree_.first[s + 1]) {
        front.to[i] = rows[i] - tree_.first[s];
      } else {
        while (own[at] != rows[i]) ++at;
        front.to[i] = front.k + at;
      }
    }
    split(count, team, [&](Range lines) {
      std::vector<std::int64_t> taken(static_cast<std::size_t>(count));
      for (std::int64_t i = lines.first; i < lines.last; ++i)
        take_line(front, i, rest_[child].get() + i * count * (1 + kinds_), count, taken.data());
    });
    rest_[child].reset();
  }
  void take_line(Front& front, std::int64_t i, const double* from, std::int64_t count,
                 std::int64_t* taken) const {
    const double* others_from = from + count;
    double *line = front.line(front.to[i]), *others = front.other_line(front.to[i]);
    std::int64_t less_ones = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int64_t lane = front.to[j];
      const bool is_tie = from[j] == line[lane] && from[j] < kNone;
      taken[less_ones] = j;
      if (from[j] < line[lane] ||
          (is_tie && less(others_from + j, count, others + lane, front.lanes, kinds_)))
        ++less_ones;
    }
    for (std::int64_t t = 0; t < less_ones; ++t) line[front.to[taken[t]]] = from[taken[t]];
    for (std::int64_t c = 0; c < kinds_; ++c)
      for (std::int64_t t = 0; t < less_ones; ++t)
        others[c * front.lanes + front.to[taken[t]]] = others_from[c * count + taken[t]];
  }

  // Paths among the columns, over some columns after others, as in blocked Floyd-Warshall.
  void close(Front& front, Team& team) {
    for (std::int64_t first = 0; first < front.k; first += kPivots) {
      const Range pivots{first, std::min(first + kPivots, front.k)};
      std::vector<double> steps(static_cast<std::size_t>(kPivots * (1 + kinds_)));
      for (std::int64_t p = pivots.first; p < pivots.last; ++p)
        for (std::int64_t i = pivots.first; i < pivots.last; ++i)
          if (i != p) pass(front, i, {p, p + 1}, steps.data());
      if (front.k <= kPivots) return;
      split(front.k, team, [&](Range lines) {
        std::vector<double> own(static_cast<std::size_t>(kPivots * (1 + kinds_)));
        for (std::int64_t i = lines.first; i < lines.last; ++i)
          if (i < pivots.first || i >= pivots.last) pass(front, i, pivots, own.data());
      });
    }
  }

  // Line i, in the lanes of the columns, over the lines of some pivots. steps: scratch, since the line has
  // their costs.
  void pass(Front& front, std::int64_t i, Range pivots, double* steps) const {
    const std::int64_t count = pivots.last - pivots.first;
    bool any = false;
    for (std::int64_t p = 0; p < count; ++p) {
      steps[p] = front.line(i)[pivots.first + p];
      any |= steps[p] < kNone;
      for (std::int64_t c = 0; c < kinds_; ++c)
        steps[kPivots + p * kinds_ + c] = front.other_line(i)[c * front.lanes + pivots.first + p];
    }
    if (!any) return;
    Vertex hits[kPivots];
    for (std::int64_t lane = 0; lane < front.k; lane += kCostLanes)
      extend_costs(front.lines(lane), i, {static_cast<Vertex>(pivots.first), nullptr, count},
                   {steps, steps + kPivots, 1}, hits);
  }

  // Some lines from those of the columns, in the lanes from `lane` on. Their steps are entries of the factor,
  // (lines, stride). Lines of some lanes stay in the cache for all that are written.
  void extend(Front& front, std::int64_t lane, Range which, std::int64_t entry, std::int64_t stride,
              Team& team) {
    const std::int64_t begin = lane / kCostLanes;
    split(front.lanes / kCostLanes - begin, team, [&](Range parts) {
      std::vector<Vertex> hits(static_cast<std::size_t>(front.k));
      for (std::int64_t part = parts.first; part < parts.last; ++part) {
        const CostLines lines = front.lines((begin + part) * kCostLanes);
        for (std::int64_t i = which.first; i < which.last; ++i) {
          const std::int64_t at = entry + (i - which.first) * stride;
          extend_costs(lines, i, {0, nullptr, front.k}, {factor_.first + at, factor_.others + at * kinds_, 1},
                       hits.data());
        }
        control_.check();
      }
    });
  }

  // Keeps what lies between the rows for the parent.
  void leave(const Front& front, Range lines, double* rest) const {
    const std::int64_t k = front.k, r = front.r;
    double* to = rest + (lines.first - k) * r * (1 + kinds_);
    for (std::int64_t h = lines.first; h < lines.last; ++h) {
      to = std::copy_n(front.line(h) + k, r, to);
      for (std::int64_t c = 0; c < kinds_; ++c)
        to = std::copy_n(front.other_line(h) + c * front.lanes + k, r, to);
    }
  }

  const TreeView& tree_;
  const CostArcs& arcs_;
  const CostFactor& factor_;
  std::int64_t kinds_;
  Team& team_;
  Control& control_;
  std::vector<std::unique_ptr<double[]>> rest_;  // (s) between its rows, (r, 1 + kinds, r)
  Children children_;
  std::vector<Front> fronts_;  // of each thread
};

}  // namespace

void factorise_costs(const TreeView& tree, const CostArcs& arcs, const CostFactor& factor, Team& team,
                     Control& control) {
  if (arcs.graph.n != tree.n)
    throw std::invalid_argument("the elimination tree is of a graph of another size");
  CostElimination elimination(tree, arcs, factor, team, control);
  elimination.assemble();
  elimination.run();
}

}  // namespace apsp::elimination
