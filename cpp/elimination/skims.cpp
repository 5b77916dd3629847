#include "elimination/skims.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <vector>

#include "elimination/batch.hpp"
#include "elimination/descent.hpp"
#include "elimination/factor.hpp"
#include "graph/csr.hpp"
#include "runtime/buffer.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kLanes = kScanLanes;  // sources of a batch

// Lines of 16 sources: first costs apart, since they decide almost always.
template <class T>
struct CostLines {
  double* first;  // (lines, 16)
  T* all;         // (lines, 16)

  void forget(std::int64_t line, std::int64_t count) const {
    std::fill_n(first + line * kLanes, count * kLanes, semiring::Bounds<double>::kNoPath);
    std::fill_n(all + line * kLanes, count * kLanes, semiring::Bounds<T>::kNoPath);
  }
  void copy(std::int64_t to, const CostLines& from, std::int64_t line, std::int64_t count) const {
    std::copy_n(from.first + line * kLanes, count * kLanes, first + to * kLanes);
    std::copy_n(from.all + line * kLanes, count * kLanes, all + to * kLanes);
  }
  void seed(std::int64_t line, std::int64_t lane, const T& value) const {
    T& entry = all[line * kLanes + lane];
    if (value < entry) entry = value;
    first[line * kLanes + lane] = entry.at[0];
  }

  // line(to) = min(line(to), min over h of step[h stride] + line(from h)); near: the first costs of the
  // steps. The last hits are the least, so that few others are better than they are in any other cost.
  void extend(std::int64_t to, const Lines& from, const double* near, const T* step, std::int64_t stride,
              std::vector<Hit>& hits) const {
    hits.resize(std::max(hits.size(), static_cast<std::size_t>(from.count)));
    for (std::int64_t k = scan(first + to * kLanes, first, from, near, stride, hits.data()) - 1; k >= 0;
         --k) {
      const std::int64_t h = hits[k].step, line = from.list != nullptr ? from.list[h] : from.first + h;
      for (std::uint32_t lanes = hits[k].lanes; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const T &before = all[line * kLanes + lane], &last = step[h * stride];
        T& best = all[to * kLanes + lane];
        if (last.at[0] + before.at[0] > best.at[0]) continue;
        const T sum = last + before;
        if (sum < best) best = sum;
      }
    }
  }
};

template <class T>
struct OwnedLines {
  Buffer<double> first;
  Buffer<T> all;

  explicit OwnedLines(std::int64_t lines)
      : first(on_large_pages<double>(lines * kLanes)), all(on_large_pages<T>(lines * kLanes)) {}
  CostLines<T> view() const { return {first.get(), all.get()}; }
};

template <class T>
class Skimming {
 public:
  Skimming(const Factored<T>& factored, const double* first, const Vertex* targets,
           const semiring::CostMatrices& out)
      : factored_(factored),
        tree_(factored.tree),
        first_(first),
        place_(places_of(factored.tree)),
        node_(nodes_of(factored.tree)),
        slots_(factored.tree, node_),
        out_(out),
        begin_(static_cast<std::size_t>(factored.tree.nodes) + 1),
        wanted_(static_cast<std::size_t>(out.columns)) {
    for (std::int64_t j = 0; j < out.columns; ++j) ++begin_[node_[place_[targets[j]]] + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::int64_t> at(begin_.begin(), begin_.end() - 1);
    for (std::int64_t j = 0; j < out.columns; ++j) {
      const Vertex place = place_[targets[j]];
      wanted_[at[node_[place]]++] = {place, j};
    }
    std::vector<bool> needed(static_cast<std::size_t>(tree_.nodes));
    for (const auto& [place, column] : wanted_)
      for (Vertex s = node_[place]; s >= 0 && !needed[s]; s = tree_.parent[s]) needed[s] = true;
    for (std::int64_t s = tree_.nodes - 1; s >= 0; --s)
      if (needed[s]) down_.push_back(static_cast<Vertex>(s));
  }

  void run(const Vertex* sources, Team& team, Control& control) {
    const std::int64_t count = out_.rows;
    std::vector<std::int64_t> sequence(static_cast<std::size_t>(count));
    std::iota(sequence.begin(), sequence.end(), std::int64_t{0});
    std::sort(sequence.begin(), sequence.end(),
              [&](std::int64_t a, std::int64_t b) { return place_[sources[a]] < place_[sources[b]]; });
    const std::int64_t lines_up = number_up(sources, count);
    std::vector<std::unique_ptr<Room>> rooms(static_cast<std::size_t>(team.size()));
    team.parallel_for((count + kLanes - 1) / kLanes, [&](std::int64_t index, int member) {
      auto& room = rooms[static_cast<std::size_t>(member)];
      if (!room) room = std::make_unique<Room>(lines_up, slots_.count, tree_.nodes);
      const std::int64_t here = std::min(kLanes, count - index * kLanes);
      std::vector<Vertex> from;
      for (std::int64_t i = index * kLanes; i < index * kLanes + here; ++i)
        from.push_back(sources[sequence[i]]);
      climb(*room, from, control);
      sweep(*room, sequence.data() + index * kLanes, here, control);
      for (const Vertex s : room->path) room->met[s] = false;
      control.advance(here);
    });
  }

 private:
  struct Target {
    Vertex place;
    std::int64_t column;
  };
  struct Room {
    Room(std::int64_t lines_up, std::int64_t slots, std::int64_t nodes)
        : up(lines_up), down(slots), met(static_cast<std::size_t>(nodes)) {}
    OwnedLines<T> up, down;
    std::vector<std::uint8_t> met;
    std::vector<Vertex> path;
    std::vector<Hit> hits;
  };

  // Numbers the lines of the ancestors of all sources; returns how many there are.
  std::int64_t number_up(const Vertex* sources, std::int64_t count) {
    up_first_.assign(static_cast<std::size_t>(tree_.nodes), -1);
    std::int64_t lines = 0;
    for (std::int64_t i = 0; i < count; ++i)
      for_seeds(factored_, sources[i], [&](Vertex seed, const T&) {
        for (Vertex s = node_[place_[seed]]; s >= 0 && up_first_[s] < 0; s = tree_.parent[s]) {
          up_first_[s] = lines;
          lines += tree_.columns(s);
        }
      });
    return lines;
  }
  std::int64_t line_up(Vertex place) const {
    return up_first_[node_[place]] + place - tree_.first[node_[place]];
  }

  // As Batch::up.
  void climb(Room& room, const std::vector<Vertex>& sources, Control& control) {
    control.check();
    const CostLines<T> lines = room.up.view();
    room.path.clear();
    for (const Vertex source : sources)
      for_seeds(factored_, source, [&](Vertex seed, const T&) {
        for (Vertex s = node_[place_[seed]]; s >= 0 && !room.met[s]; s = tree_.parent[s]) {
          room.met[s] = true;
          room.path.push_back(s);
        }
      });
    std::sort(room.path.begin(), room.path.end());
    for (const Vertex s : room.path) lines.forget(up_first_[s], tree_.columns(s));
    for (std::size_t lane = 0; lane < sources.size(); ++lane)
      for_seeds(factored_, sources[lane], [&](Vertex seed, const T& value) {
        lines.seed(line_up(place_[seed]), static_cast<std::int64_t>(lane), value);
      });
    for (const Vertex s : room.path) {
      const std::int64_t k = tree_.columns(s), r = tree_.row_count(s), width = k + r;
      const double* near = first_ + tree_.panel_start[s];
      const T* panel = factored_.values + tree_.panel_start[s];
      const Lines columns{static_cast<Vertex>(up_first_[s]), nullptr, k};
      for (std::int64_t j = 0; j < width; ++j) {
        const std::int64_t to = j < k ? up_first_[s] + j : line_up(tree_.rows_of(s)[j - k]);
        lines.extend(to, columns, near + j, panel + j, width, room.hits);
      }
    }
  }

  // As Descent, over the ancestors of the targets only.
  void sweep(Room& room, const std::int64_t* out_rows, std::int64_t count, Control& control) {
    const CostLines<T> lines = room.down.view();
    for (std::size_t index = 0; index < down_.size(); ++index) {
      if (index % 256 == 0) control.check();
      const std::int64_t s = down_[index], k = tree_.columns(s), r = tree_.row_count(s);
      const std::int64_t own = slots_.first[s];
      if (room.met[s])
        lines.copy(own, room.up.view(), up_first_[s], k);
      else
        lines.forget(own, k);
      const double* near = first_ + tree_.panel_start[s] + k * (k + r);
      const T* panel = factored_.values + tree_.panel_start[s] + k * (k + r);
      const Lines rows{0, slots_.rows.data() + tree_.row_start[s], r};
      for (std::int64_t i = 0; i < k; ++i) lines.extend(own + i, rows, near + i, panel + i, k, room.hits);
      for (std::int64_t j = begin_[s]; j < begin_[s + 1]; ++j) {
        const T* line = lines.all + (own + wanted_[j].place - tree_.first[s]) * kLanes;
        for (std::int64_t lane = 0; lane < count; ++lane)
          out_.write(out_rows[lane], wanted_[j].column, line[lane]);
      }
    }
  }

  const Factored<T>& factored_;
  const TreeView& tree_;
  const double* first_;  // the first cost of every value of the factor
  std::vector<Vertex> place_, node_;
  Slots slots_;
  std::vector<std::int64_t>
      up_first_;  // (nodes) the line on the way up of the first column, -1 if it has none
  const semiring::CostMatrices& out_;
  std::vector<std::int64_t> begin_;  // (nodes + 1) of the targets among the columns of a supernode
  std::vector<Target> wanted_;
  std::vector<Vertex> down_;
};

}  // namespace

template <int kSize>
void fill_skims(const TreeView& tree, const graph::WeightedArcs& arcs, const bool* zones,
                const Vertex* sources, const Vertex* targets, const semiring::CostMatrices& out, int threads,
                Control& control) {
  using T = semiring::Costs<kSize>;
  graph::check_vertices(sources, out.rows, tree.n, "sources");
  graph::check_vertices(targets, out.columns, tree.n, "targets");
  Team team(threads);
  const Buffer<T> values = on_large_pages<T>(tree.entries());
  factorise<T>(tree, arcs, zones, true, values.get(), team, control);
  const Buffer<double> first = on_large_pages<double>(tree.entries());
  for (std::int64_t entry = 0; entry < tree.entries(); ++entry) first[entry] = values[entry].at[0];
  const Factored<T> factored{tree, values.get(), arcs, zones, true};
  Skimming<T>(factored, first.get(), targets, out).run(sources, team, control);
}

#define APSP_INSTANTIATE(T)                                                                             \
  template void fill_skims<T::kCount>(const TreeView&, const graph::WeightedArcs&, const bool*,         \
                                      const Vertex*, const Vertex*, const semiring::CostMatrices&, int, \
                                      Control&);
APSP_FOR_COSTS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
