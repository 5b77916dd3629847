// Lighter separators by flow: the vertices near a separator are a corridor between the sides, and the
// smallest separator within the corridor takes its place, until there is none smaller. Sanders and Schulz
// 2011, "Engineering multilevel graph partitioning algorithms", section 4 (flows between two blocks), for
// separators of vertices.
#include <algorithm>
#include <utility>

#include "elimination/flow.hpp"
#include "elimination/separator.hpp"

namespace apsp::elimination {
namespace {

constexpr int kRounds = 20, kCoarseRounds = 3;
constexpr std::int64_t kFirst =
    10;  // vertices of either side, per vertex of the separator, in the first corridor
constexpr std::int64_t kWider = 8;  // times as many in the next one, if there is no shorter separator

// Separators of more than eight times the square root of the vertices are those of graphs that have no short
// ones.
bool is_short(const Weighted& graph, const Split& split) {
  return split.mass[kSeparator] > 0 && split.mass[kSeparator] * split.mass[kSeparator] <= 64 * graph.total;
}

class Corridor {
 public:
  Corridor(const Weighted& graph, Split& split)
      : graph_(graph), split_(split), number_(graph.mass.size(), -1) {}

  // One round; returns whether the separator is smaller, or as small between sides that differ less.
  bool round(std::int64_t reach, const Control& control) {
    collect(reach);
    const Between between = arcs();
    if (!any(between.at_source) || !any(between.at_sink)) return false;
    Cuts found = cuts(between, control);
    const bool smaller = found.mass < split_.mass[kSeparator];
    const std::int64_t heavier = std::max(split_.mass[0], split_.mass[1]);
    const Cut one = cut(std::move(found.nearest_source)), other = cut(std::move(found.nearest_sink));
    const Cut& best = one.heavier() <= other.heavier() ? one : other;
    if (!smaller && best.heavier() >= heavier) return false;
    if (best.heavier() > std::max(most_mass(graph_), heavier)) return false;
    for (std::size_t i = 0; i < names_.size(); ++i) split_.side[names_[i]] = best.side[i];
    split_.mass = best.mass;
    return true;
  }

  // Whether the last corridor was as wide as the sides allow.
  bool is_whole() const { return whole_; }

 private:
  struct Cut {
    std::vector<std::uint8_t> side;  // of the vertices of the corridor
    std::array<std::int64_t, 3> mass;

    std::int64_t heavier() const { return std::max(mass[0], mass[1]); }
  };

  static bool any(const std::vector<std::uint8_t>& flags) {
    return std::find(flags.begin(), flags.end(), 1) != flags.end();
  }

  Cuts cuts(const Between& between, const Control& control) const {
    if (graph_.total == graph_.n()) return smallest_cuts(between, control);
    std::vector<std::int64_t> mass(names_.size());
    std::transform(names_.begin(), names_.end(), mass.begin(), [&](Vertex v) { return graph_.mass[v]; });
    return lightest_cuts(between, mass, control);
  }

  void add(Vertex v) {
    number_[v] = static_cast<Vertex>(names_.size());
    names_.push_back(v);
  }

  // The separator, and of each side the vertices that are nearest to it: so many that either side may still
  // become the separator's whole other side.
  void collect(std::int64_t reach) {
    for (const Vertex v : names_) number_[v] = -1;
    names_.clear();
    for (Vertex v = 0; v < graph_.n(); ++v)
      if (split_.side[v] == kSeparator) add(v);
    const std::size_t separator = names_.size();
    whole_ = true;
    for (std::uint8_t side = 0; side < 2; ++side) {
      const std::int64_t room = most_mass(graph_) - split_.mass[1 - side] - split_.mass[kSeparator];
      const std::int64_t largest = std::min(room, split_.mass[side] - 1);
      const std::int64_t most = std::min(largest, reach * split_.mass[kSeparator]);
      whole_ = whole_ && most == largest;
      std::vector<Vertex> queue(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(separator));
      std::int64_t mass = 0;
      for (std::size_t next = 0; next < queue.size() && mass < most; ++next) {
        for (std::int64_t at = graph_.start[queue[next]]; at < graph_.start[queue[next] + 1] && mass < most;
             ++at) {
          const Vertex u = graph_.other[at];
          if (split_.side[u] != side || number_[u] >= 0) continue;
          add(u);
          queue.push_back(u);
          mass += graph_.mass[u];
        }
      }
    }
  }

  Between arcs() const {
    Between between;
    between.at_source.resize(names_.size());
    between.at_sink.resize(names_.size());
    between.start.push_back(0);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (std::int64_t at = graph_.start[names_[i]]; at < graph_.start[names_[i] + 1]; ++at) {
        const Vertex u = graph_.other[at];
        if (number_[u] >= 0) {
          between.other.push_back(number_[u]);
        } else {
          (split_.side[u] == 0 ? between.at_source : between.at_sink)[i] = 1;
        }
      }
      between.start.push_back(static_cast<std::int64_t>(between.other.size()));
    }
    return between;
  }

  Cut cut(std::vector<std::uint8_t> side) const {
    Cut found{std::move(side), split_.mass};
    for (std::size_t i = 0; i < names_.size(); ++i) {
      found.mass[split_.side[names_[i]]] -= graph_.mass[names_[i]];
      found.mass[found.side[i]] += graph_.mass[names_[i]];
    }
    return found;
  }

  const Weighted& graph_;
  Split& split_;
  std::vector<Vertex> number_;  // in the corridor; -1: outside
  std::vector<Vertex> names_;   // of the vertices of the corridor, the separator first
  bool whole_ = false;
};

}  // namespace

void lighten(const Weighted& graph, Split& split, const Control& control) {
  if (split.mass[kSeparator] == 0) return;
  Corridor corridor(graph, split);
  for (int round = 0; round < kCoarseRounds && corridor.round(graph.total, control); ++round) control.check();
}

void shorten(const Weighted& graph, Split& split, std::int64_t reach, const Control& control) {
  if (reach == 0 || !is_short(graph, split)) return;
  Corridor corridor(graph, split);
  std::int64_t near = std::min(reach, kFirst);
  for (int round = 0; round < kRounds; ++round) {
    control.check();
    if (corridor.round(near, control)) continue;
    if (near >= reach || corridor.is_whole()) break;
    near = std::min(reach, kWider * near);
  }
}

}  // namespace apsp::elimination
