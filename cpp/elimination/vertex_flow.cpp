#include "elimination/vertex_flow.hpp"

#include <limits>

#include "elimination/separator.hpp"

namespace apsp::elimination {

VertexFlow::VertexFlow(const Between& graph)
    : graph_(graph),
      on_path_(graph.at_source.size()),
      before_(graph.at_source.size(), -1),
      after_(graph.at_source.size(), -1) {}

// From 2v, a vertex on no path is passed; where there is a path, its part up to v is given up, and what came
// that way leaves from the vertex before. From 2v + 1 to the neighbours; or, on a path, the vertex is given
// up.
std::int64_t VertexFlow::count(State state) const {
  const Vertex v = state / 2;
  if (state % 2 == 0) return !on_path_[v] || before_[v] >= 0;
  return graph_.start[v + 1] - graph_.start[v] + on_path_[v];
}

VertexFlow::State VertexFlow::successor(State state, std::int64_t i) const {
  const Vertex v = state / 2;
  if (state % 2 == 0) return 2 * (on_path_[v] ? before_[v] : v) + 1;
  return graph_.start[v] + i < graph_.start[v + 1] ? 2 * graph_.other[graph_.start[v] + i] : 2 * v;
}

// Breadth-first, up to the level at which the sink is reached.
bool VertexFlow::find_levels() {
  level_.assign(2 * on_path_.size(), 0);
  queue_.clear();
  for (Vertex v = 0; v < graph_.k(); ++v)
    if (graph_.at_source[v]) visit(2 * v);
  std::int32_t last = std::numeric_limits<std::int32_t>::max();
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const State state = queue_[next];
    if (level_[state] >= last) break;
    if (state % 2 == 1 && graph_.at_sink[state / 2]) last = level_[state];
    for (std::int64_t i = 0; i < count(state); ++i) {
      const State reached = successor(state, i);
      if (level_[reached]) continue;
      level_[reached] = level_[state] + 1;
      queue_.push_back(reached);
    }
  }
  return last < std::numeric_limits<std::int32_t>::max();
}

// Depth-first along the levels; every state is on one path per phase at most.
bool VertexFlow::extend(State root) {
  if (level_[root] != 1) return false;
  walk_.assign(1, root);
  while (!walk_.empty()) {
    const State state = walk_.back();
    if (state % 2 == 1 && graph_.at_sink[state / 2]) {
      apply();
      return true;
    }
    State further = -1;
    while (further < 0 && cursor_[state] < count(state)) {
      const State reached = successor(state, cursor_[state]++);
      if (level_[reached] == level_[state] + 1) further = reached;
    }
    if (further < 0) {
      level_[state] = -1;
      walk_.pop_back();
    } else {
      walk_.push_back(further);
    }
  }
  return false;
}

void VertexFlow::apply() {
  before_[walk_.front() / 2] = -1;
  for (std::size_t i = 0; i + 1 < walk_.size(); ++i) {
    const Vertex v = walk_[i] / 2, u = walk_[i + 1] / 2;
    if (walk_[i] % 2 == 0) {
      if (v == u) on_path_[v] = true;  // otherwise the arc from u to v is given up, and u gets another below
    } else if (v == u) {
      on_path_[v] = false;
    } else {
      after_[v] = u;
      before_[u] = v;
    }
  }
  after_[walk_.back() / 2] = -1;
  for (const State state : walk_) level_[state] = -1;
}

SmallestCuts VertexFlow::run(const Control& control) {
  SmallestCuts found;
  while (find_levels()) {
    control.check();
    cursor_.assign(level_.size(), 0);
    for (Vertex v = 0; v < graph_.k(); ++v)
      if (graph_.at_source[v]) found.size += extend(2 * v);
  }
  found.nearest_source = nearest_source();
  found.nearest_sink = nearest_sink();
  return found;
}

// By the levels of the last search, which has not reached the sink.
std::vector<std::uint8_t> VertexFlow::nearest_source() const {
  std::vector<std::uint8_t> side(on_path_.size());
  for (std::size_t v = 0; v < side.size(); ++v)
    side[v] = level_[2 * v + 1] ? 0 : level_[2 * v] ? kSeparator : 1;
  return side;
}

// The states from which the sink can be reached: find_levels() backwards.
std::vector<std::uint8_t> VertexFlow::nearest_sink() {
  level_.assign(2 * on_path_.size(), 0);
  queue_.clear();
  for (Vertex v = 0; v < graph_.k(); ++v)
    if (graph_.at_sink[v]) visit(2 * v + 1);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const State state = queue_[next];
    const Vertex v = state / 2;
    if (state % 2 == 0) {
      for (std::int64_t at = graph_.start[v]; at < graph_.start[v + 1]; ++at) visit(2 * graph_.other[at] + 1);
      if (on_path_[v]) visit(2 * v + 1);
    } else if (!on_path_[v]) {
      visit(2 * v);
    } else if (after_[v] >= 0) {
      visit(2 * after_[v]);
    }
  }
  std::vector<std::uint8_t> side(on_path_.size());
  for (std::size_t v = 0; v < side.size(); ++v)
    side[v] = level_[2 * v] ? 1 : level_[2 * v + 1] ? kSeparator : 0;
  return side;
}

}  // namespace apsp::elimination
