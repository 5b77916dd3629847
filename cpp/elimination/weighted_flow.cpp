#include "elimination/weighted_flow.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "elimination/separator.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

}  // namespace

WeightedFlow::WeightedFlow(const Between& graph, std::vector<std::int64_t> mass)
    : graph_(graph),
      mass_(std::move(mass)),
      twin_(graph.other.size()),
      passed_(mass_.size()),
      along_(graph.other.size()) {
  // Of each vertex the entries that lead to it from lower ones, which are found in the rows of these.
  std::vector<std::int64_t> end(graph.start.begin(), graph.start.end() - 1), entry(graph.other.size());
  std::vector<Vertex> tail(graph.other.size());
  std::vector<std::int64_t> from(mass_.size());
  for (Vertex v = 0; v < graph.k(); ++v) {
    for (std::int64_t i = graph.start[v]; i < end[v]; ++i) from[tail[i]] = entry[i];
    for (std::int64_t at = graph.start[v]; at < graph.start[v + 1]; ++at) {
      const Vertex u = graph.other[at];
      if (u > v) {
        tail[end[u]] = v;
        entry[end[u]++] = at;
      } else {
        twin_[at] = from[u];
        twin_[from[u]] = at;
      }
    }
  }
}

// From 2v through the vertex, or back along entries from which flow has come. From 2v + 1 to the neighbours,
// or back through the vertex.
std::int64_t WeightedFlow::count(State state) const {
  return graph_.start[state / 2 + 1] - graph_.start[state / 2] + 1;
}

std::int64_t WeightedFlow::room(State state, std::int64_t i) const {
  const Vertex v = state / 2;
  if (i == 0) return state % 2 == 0 ? mass_[v] - passed_[v] : passed_[v];
  return state % 2 == 0 ? along_[twin_[graph_.start[v] + i - 1]] : kUnlimited;
}

WeightedFlow::State WeightedFlow::successor(State state, std::int64_t i) const {
  const Vertex v = state / 2;
  if (i == 0) return state ^ 1;
  return 2 * graph_.other[graph_.start[v] + i - 1] + (state % 2 == 0);
}

void WeightedFlow::push(State state, std::int64_t i, std::int64_t amount) {
  const Vertex v = state / 2;
  const std::int64_t at = graph_.start[v] + i - 1;
  if (i == 0)
    passed_[v] += state % 2 == 0 ? amount : -amount;
  else if (state % 2 == 0)
    along_[twin_[at]] -= amount;
  else
    along_[at] += amount;
}

// Breadth-first, up to the level at which the sink is reached.
bool WeightedFlow::find_levels() {
  level_.assign(2 * mass_.size(), 0);
  queue_.clear();
  for (Vertex v = 0; v < graph_.k(); ++v)
    if (graph_.at_source[v]) {
      level_[2 * v] = 1;
      queue_.push_back(2 * v);
    }
  std::int32_t last = std::numeric_limits<std::int32_t>::max();
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const State state = queue_[next];
    if (level_[state] >= last) break;
    if (state % 2 == 1 && graph_.at_sink[state / 2]) last = level_[state];
    for (std::int64_t i = 0; i < count(state); ++i) {
      const State reached = successor(state, i);
      if (level_[reached] || room(state, i) <= 0) continue;
      level_[reached] = level_[state] + 1;
      queue_.push_back(reached);
    }
  }
  return last < std::numeric_limits<std::int32_t>::max();
}

// A path along the levels, depth-first; returns what flows along it.
std::int64_t WeightedFlow::extend(State root) {
  if (level_[root] != 1) return 0;
  walk_.assign(1, root);
  while (!walk_.empty()) {
    const State state = walk_.back();
    if (state % 2 == 1 && graph_.at_sink[state / 2]) {
      std::int64_t amount = kUnlimited;
      for (std::size_t i = 0; i + 1 < walk_.size(); ++i)
        amount = std::min(amount, room(walk_[i], cursor_[walk_[i]]));
      for (std::size_t i = 0; i + 1 < walk_.size(); ++i) push(walk_[i], cursor_[walk_[i]], amount);
      return amount;
    }
    std::int64_t& i = cursor_[state];
    while (i < count(state) && (level_[successor(state, i)] != level_[state] + 1 || room(state, i) <= 0)) ++i;
    if (i < count(state)) {
      walk_.push_back(successor(state, i));
    } else {
      level_[state] = -1;
      walk_.pop_back();
    }
  }
  return 0;
}

SmallestCuts WeightedFlow::run(const Control& control) {
  SmallestCuts found;
  while (find_levels()) {
    control.check();
    cursor_.assign(level_.size(), 0);
    for (Vertex v = 0; v < graph_.k(); ++v)
      while (graph_.at_source[v]) {
        const std::int64_t amount = extend(2 * v);
        if (amount == 0) break;
        found.size += amount;
      }
  }
  found.nearest_source = nearest_source();
  found.nearest_sink = nearest_sink();
  return found;
}

// By the levels of the last search, which has not reached the sink.
std::vector<std::uint8_t> WeightedFlow::nearest_source() const {
  std::vector<std::uint8_t> side(mass_.size());
  for (std::size_t v = 0; v < side.size(); ++v)
    side[v] = level_[2 * v + 1] ? 0 : level_[2 * v] ? kSeparator : 1;
  return side;
}

// The states from which the sink can be reached: find_levels() backwards.
std::vector<std::uint8_t> WeightedFlow::nearest_sink() {
  level_.assign(2 * mass_.size(), 0);
  queue_.clear();
  const auto visit = [&](State state) {
    if (!level_[state]) queue_.push_back(state);
    level_[state] = 1;
  };
  for (Vertex v = 0; v < graph_.k(); ++v)
    if (graph_.at_sink[v]) visit(2 * v + 1);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const State state = queue_[next];
    const Vertex v = state / 2;
    for (std::int64_t at = graph_.start[v]; at < graph_.start[v + 1]; ++at) {
      if (state % 2 == 0)
        visit(2 * graph_.other[at] + 1);
      else if (along_[at] > 0)
        visit(2 * graph_.other[at]);
    }
    if (state % 2 == 0 ? passed_[v] > 0 : passed_[v] < mass_[v]) visit(state ^ 1);
  }
  std::vector<std::uint8_t> side(mass_.size());
  for (std::size_t v = 0; v < side.size(); ++v)
    side[v] = level_[2 * v] ? 1 : level_[2 * v + 1] ? kSeparator : 0;
  return side;
}

}  // namespace apsp::elimination
