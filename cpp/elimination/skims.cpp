#include "elimination/skims.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "elimination/descent.hpp"
#include "elimination/kernels.hpp"
#include "graph/csr.hpp"
#include "runtime/large_pages.hpp"
#include "runtime/prefetch.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kMostLanes = 4 * kCostLanes;  // sources of a batch, if there are many
constexpr std::int64_t kBatches = 4;                 // per thread, at least, or smaller ones
constexpr double kNone = semiring::Bounds<double>::kNoPath;

struct OwnedLines {
  Buffer<double> first, others;
  std::int64_t lanes, kinds, count = 0;

  OwnedLines(std::int64_t lanes_of_each, std::int64_t others_of_each)
      : lanes(lanes_of_each), kinds(others_of_each) {}

  // Forgets all lines.
  void reserve(std::int64_t lines) {
    if (lines <= count) return;
    count = std::max(lines, 2 * count);
    first = on_large_pages<double>(count * lanes);
    others = on_large_pages<double>(count * lanes * kinds);
  }
  CostLines view() const { return {first.get(), others.get(), lanes, kinds}; }
  void forget(std::int64_t line, std::int64_t lines) {
    std::fill_n(first.get() + line * lanes, lines * lanes, kNone);
  }
  void copy(std::int64_t to, const OwnedLines& from, std::int64_t line, std::int64_t lines) {
    std::copy_n(from.first.get() + line * lanes, lines * lanes, first.get() + to * lanes);
    std::copy_n(from.others.get() + line * lanes * kinds, lines * lanes * kinds,
                others.get() + to * lanes * kinds);
  }
};

// Where searches may begin, and at what costs: see for_seeds.
template <class Body>
void for_cost_seeds(const CostArcs& arcs, const double* nothing, Vertex source, const Body& body) {
  body(source, nothing);
  if (!arcs.graph.is_zone(source)) return;
  for (std::int64_t arc = arcs.graph.indptr[source]; arc < arcs.graph.indptr[source + 1]; ++arc)
    body(arcs.graph.indices[arc], arcs.of(arc));
}

class Skimming {
 public:
  Skimming(const TreeView& tree, const CostArcs& arcs, const CostFactor& factor, const Vertex* targets,
           const semiring::CostMatrices& out)
      : tree_(tree),
        arcs_(arcs),
        factor_(factor),
        kinds_(factor.kinds),
        nothing_(static_cast<std::size_t>(1 + kinds_)),
        place_(places_of(tree)),
        node_(nodes_of(tree)),
        slots_(tree, node_),
        out_(out),
        begin_(static_cast<std::size_t>(tree.nodes) + 1),
        wanted_(static_cast<std::size_t>(out.columns)) {
    for (std::int64_t j = 0; j < out.columns; ++j) ++begin_[node_[place_[targets[j]]] + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::int64_t> at(begin_.begin(), begin_.end() - 1);
    for (std::int64_t j = 0; j < out.columns; ++j) {
      const Vertex place = place_[targets[j]];
      wanted_[at[node_[place]]++] = {place, j};
    }
    std::vector<bool> needed(static_cast<std::size_t>(tree.nodes));
    for (const auto& [place, column] : wanted_)
      for (Vertex s = node_[place]; s >= 0 && !needed[s]; s = tree.parent[s]) needed[s] = true;
    for (std::int64_t s = tree.nodes - 1; s >= 0; --s) {
      if (!needed[s]) continue;
      down_.push_back(static_cast<Vertex>(s));
    }
    for (std::int64_t s = 0; s < tree.nodes; ++s)
      most_steps_ = std::max({most_steps_, tree.columns(s), tree.row_count(s)});
  }

  void run(const Vertex* sources, Team& team, Control& control) {
    const std::int64_t count = out_.rows, each = count / (kBatches * team.size());
    lanes_ = std::clamp(each / kCostLanes * kCostLanes, kCostLanes, kMostLanes);
    std::vector<std::int64_t> sequence(static_cast<std::size_t>(count));
    std::iota(sequence.begin(), sequence.end(), std::int64_t{0});
    std::sort(sequence.begin(), sequence.end(),
              [&](std::int64_t a, std::int64_t b) { return place_[sources[a]] < place_[sources[b]]; });
    std::vector<std::unique_ptr<Room>> rooms(static_cast<std::size_t>(team.size()));
    team.parallel_for((count + lanes_ - 1) / lanes_, [&](std::int64_t index, int member) {
      auto& room = rooms[static_cast<std::size_t>(member)];
      if (!room) {
        room = std::make_unique<Room>(lanes_, kinds_, tree_.nodes, most_steps_);
        room->down.reserve(slots_.count);
        room->found = on_large_pages<double>(out_.columns * out_.kinds * std::min(lanes_, count));
      }
      const std::int64_t* rows = sequence.data() + index * lanes_;
      room->sources.clear();
      for (std::int64_t i = index * lanes_; i < std::min((index + 1) * lanes_, count); ++i)
        room->sources.push_back(sources[sequence[i]]);
      climb(*room, control);
      descend(*room, control);
      write(*room, rows);
      for (const Vertex s : room->path) room->line[s] = -1;
      control.advance(static_cast<std::int64_t>(room->sources.size()));
    });
  }

 private:
  struct Target {
    Vertex place;
    std::int64_t column;
  };
  struct Room {
    Room(std::int64_t lanes, std::int64_t kinds, std::int64_t nodes, std::int64_t most_steps)
        : up(lanes, kinds),
          down(lanes, kinds),
          line(static_cast<std::size_t>(nodes), -1),
          hits(static_cast<std::size_t>(most_steps)) {}
    OwnedLines up, down;
    std::vector<Vertex> sources;
    std::vector<Vertex> path;        // the supernodes of the sources and their ancestors, children first
    std::vector<std::int64_t> line;  // (nodes) the line on the way up of the first column, -1 if it has none
    std::vector<Vertex> rows, hits;
    Buffer<double> found;  // (columns, kinds, sources)
  };

  std::int64_t line_up(const Room& room, Vertex place) const {
    return room.line[node_[place]] + place - tree_.first[node_[place]];
  }

  // As Batch::up.
  void climb(Room& room, Control& control) const {
    control.check();
    room.path.clear();
    for (const Vertex source : room.sources)
      for_cost_seeds(arcs_, nothing_.data(), source, [&](Vertex seed, const double*) {
        for (Vertex s = node_[place_[seed]]; s >= 0 && room.line[s] < 0; s = tree_.parent[s]) {
          room.line[s] = 0;
          room.path.push_back(s);
        }
      });
    std::sort(room.path.begin(), room.path.end());
    std::int64_t count = 0;
    for (const Vertex s : room.path) {
      room.line[s] = count;
      count += tree_.columns(s);
    }
    room.up.reserve(count);
    room.up.forget(0, count);
    for (std::size_t lane = 0; lane < room.sources.size(); ++lane)
      for_cost_seeds(arcs_, nothing_.data(), room.sources[lane], [&](Vertex seed, const double* costs) {
        put(room.up.view(), line_up(room, place_[seed]), static_cast<std::int64_t>(lane), costs);
      });
    const CostLines lines = room.up.view();
    for (const Vertex s : room.path) {
      const std::int64_t k = tree_.columns(s), r = tree_.row_count(s), width = k + r;
      const Lines columns{static_cast<Vertex>(room.line[s]), nullptr, k};
      for (std::int64_t j = 0; j < width; ++j) {
        const std::int64_t to = j < k ? room.line[s] + j : line_up(room, tree_.rows_of(s)[j - k]);
        extend(room, lines, to, columns, steps(tree_.panel_start[s] + j, width));
      }
    }
  }

  // As Descent, over the ancestors of the targets only.
  void descend(Room& room, Control& control) const {
    const CostLines lines = room.down.view();
    for (std::size_t index = 0; index < down_.size(); ++index) {
      if (index % 256 == 0) control.check();
      const std::int64_t s = down_[index], k = tree_.columns(s), r = tree_.row_count(s);
      const std::int64_t own = slots_.first[s];
      if (index + 1 < down_.size()) read_ahead(down_[index + 1]);
      if (room.line[s] >= 0)
        room.down.copy(own, room.up, room.line[s], k);
      else
        room.down.forget(own, k);
      const Lines rows{0, slots_.rows.data() + tree_.row_start[s], r};
      const std::int64_t in = tree_.panel_start[s] + k * (k + r);
      for (std::int64_t i = 0; i < k; ++i) extend(room, lines, own + i, rows, steps(in + i, k));
      for (std::int64_t j = begin_[s]; j < begin_[s + 1]; ++j)
        keep(room, own + wanted_[j].place - tree_.first[s], wanted_[j].column);
    }
  }

  // Begins to read the first costs of the steps to the columns of s.
  void read_ahead(std::int64_t s) const {
    constexpr std::int64_t kOfLine = 64 / sizeof(double), kMost = 4096;
    const std::int64_t k = tree_.columns(s), count = std::min(k * tree_.row_count(s), kMost);
    const double* from = factor_.first + tree_.panel_start[s + 1] - k * tree_.row_count(s);
    for (std::int64_t i = 0; i < count; i += kOfLine) prefetch(from + i);
  }

  // For all sources of the batch: those after the first ones find the steps in the cache.
  static void extend(Room& room, const CostLines& lines, std::int64_t to, const Lines& from,
                     const CostSteps& steps) {
    const auto used = static_cast<std::int64_t>(room.sources.size());
    for (std::int64_t lane = 0; lane < used; lane += kCostLanes)
      extend_costs({lines.first + lane, lines.others + lane, lines.stride, lines.kinds}, to, from, steps,
                   room.hits.data());
  }

  CostSteps steps(std::int64_t entry, std::int64_t stride) const {
    return {factor_.first + entry, factor_.others + entry * kinds_, stride};
  }

  // line(lane) = min(line(lane), costs).
  void put(const CostLines& lines, std::int64_t line, std::int64_t lane, const double* costs) const {
    double *first = lines.first + line * lanes_ + lane,
           *others = lines.others + line * kinds_ * lanes_ + lane;
    if (costs[0] > *first || !(costs[0] < kNone)) return;
    bool is_less = costs[0] < *first;
    for (std::int64_t c = 0; !is_less && c < kinds_; ++c) {
      if (costs[1 + c] > others[c * lanes_]) return;
      is_less = costs[1 + c] < others[c * lanes_];
    }
    *first = costs[0];
    for (std::int64_t c = 0; c < kinds_; ++c) others[c * lanes_] = costs[1 + c];
  }

  // The costs of a column, until those of all columns are known: rows of the matrices are then written in
  // sequence.
  void keep(Room& room, std::int64_t line, std::int64_t column) const {
    const auto used = static_cast<std::int64_t>(room.sources.size());
    const double* first = room.down.first.get() + line * lanes_;
    const double* others = room.down.others.get() + line * kinds_ * lanes_;
    double* to = room.found.get() + column * out_.kinds * used;
    to = std::copy_n(first, used, to);
    for (std::int64_t c = 0; c + 1 < out_.kinds; ++c, others += lanes_)
      for (std::int64_t lane = 0; lane < used; ++lane) *to++ = first[lane] < kNone ? others[lane] : kNone;
  }
  void write(const Room& room, const std::int64_t* rows) const {
    constexpr std::int64_t kAtOnce = 64;
    const auto used = static_cast<std::int64_t>(room.sources.size());
    const std::int64_t step = out_.kinds * used;
    for (std::int64_t first = 0; first < out_.columns; first += kAtOnce) {
      const std::int64_t last = std::min(first + kAtOnce, out_.columns);
      for (std::int64_t kind = 0; kind < out_.kinds; ++kind)
        for (std::int64_t lane = 0; lane < used; ++lane) {
          const double* from = room.found.get() + kind * used + lane;
          double* to = out_.data + (kind * out_.rows + rows[lane]) * out_.columns;
          for (std::int64_t j = first; j < last; ++j) to[j] = from[j * step];
        }
    }
  }

  const TreeView& tree_;
  const CostArcs& arcs_;
  const CostFactor& factor_;
  std::int64_t kinds_, lanes_ = kCostLanes;
  std::vector<double> nothing_;  // the costs of no arc
  std::vector<Vertex> place_, node_;
  Slots slots_;
  const semiring::CostMatrices& out_;
  std::vector<std::int64_t> begin_;  // (nodes + 1) of the targets among the columns of a supernode
  std::vector<Target> wanted_;
  std::vector<Vertex> down_;
  std::int64_t most_steps_ = 1;
};

}  // namespace

void fill_skims(const TreeView& tree, const CostArcs& arcs, const CostFactor& factor, const Vertex* sources,
                const Vertex* targets, const semiring::CostMatrices& out, Team& team, Control& control) {
  graph::check_vertices(sources, out.rows, tree.n, "sources");
  graph::check_vertices(targets, out.columns, tree.n, "targets");
  Skimming(tree, arcs, factor, targets, out).run(sources, team, control);
}

}  // namespace apsp::elimination
