// Maximum flow through the vertices of a graph by levels: Dinitz 1970, "Algorithm for solution of a problem
// of maximum flow in networks with power estimation". What passes a vertex is a matter of the flow.
#pragma once
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "elimination/flow.hpp"
#include "elimination/separator.hpp"
#include "runtime/control.hpp"

namespace apsp::elimination {

// A vertex has two states: 2v, flow has come to it, and 2v + 1, flow can leave it.
using State = std::int32_t;

// Flow, whose copy this class changes, has:
//   count(state), successor(state, i), has_room(state, i): the states to which more may flow from a state;
//   augment(walk, successors): adds flow along the states of a walk from the source to the sink, of which
//     successors[state] leads to the next one, and returns how much;
//   each_before(state, visit): calls visit with the states from which more may flow to this one;
//   kOnce: whether all states of a walk are of no use to other walks along the same levels.
template <class Flow>
class FlowByLevels {
 public:
  FlowByLevels(const Between& graph, Flow flow) : graph_(graph), flow_(std::move(flow)) {}

  Cuts run(const Control& control) {
    Cuts found;
    while (find_levels()) {
      control.check();
      successor_.assign(level_.size(), 0);
      for (Vertex v = 0; v < graph_.k(); ++v)
        while (graph_.at_source[v] && extend(2 * v)) found.mass += augment();
    }
    found.nearest_source = nearest_source();
    found.nearest_sink = nearest_sink();
    return found;
  }

 private:
  bool is_at_sink(State state) const { return state % 2 == 1 && graph_.at_sink[state / 2]; }

  void start_levels() {
    level_.assign(2 * graph_.at_source.size(), 0);
    queue_.clear();
  }
  void visit(State state) {
    if (!level_[state]) queue_.push_back(state);
    level_[state] = 1;
  }

  // Breadth-first, up to the level at which the sink is reached.
  bool find_levels() {
    start_levels();
    for (Vertex v = 0; v < graph_.k(); ++v)
      if (graph_.at_source[v]) visit(2 * v);
    std::int32_t last = std::numeric_limits<std::int32_t>::max();
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const State state = queue_[next];
      if (level_[state] >= last) break;
      if (is_at_sink(state)) last = level_[state];
      for (std::int64_t i = 0; i < flow_.count(state); ++i) {
        const State reached = flow_.successor(state, i);
        if (level_[reached] || !flow_.has_room(state, i)) continue;
        level_[reached] = level_[state] + 1;
        queue_.push_back(reached);
      }
    }
    return last < std::numeric_limits<std::int32_t>::max();
  }

  // Finds a walk along the levels to the sink, depth-first.
  bool extend(State root) {
    if (level_[root] != 1) return false;
    walk_.assign(1, root);
    while (!walk_.empty() && !is_at_sink(walk_.back())) {
      const State state = walk_.back(), further = next_of(state);
      if (further >= 0) {
        walk_.push_back(further);
      } else {
        level_[state] = -1;
        walk_.pop_back();
      }
    }
    return !walk_.empty();
  }

  State next_of(State state) {
    for (std::int64_t& i = successor_[state]; i < flow_.count(state); ++i) {
      const State reached = flow_.successor(state, i);
      if (level_[reached] == level_[state] + 1 && flow_.has_room(state, i)) return reached;
    }
    return -1;
  }

  std::int64_t augment() {
    if constexpr (Flow::kOnce)
      for (const State state : walk_) level_[state] = -1;
    return flow_.augment(walk_, successor_);
  }

  // By the levels of the last search, which has not reached the sink.
  std::vector<std::uint8_t> nearest_source() const { return sides(1, 0); }

  // The states from which the sink can be reached: find_levels() backwards.
  std::vector<std::uint8_t> nearest_sink() {
    start_levels();
    for (Vertex v = 0; v < graph_.k(); ++v)
      if (graph_.at_sink[v]) visit(2 * v + 1);
    for (std::size_t next = 0; next < queue_.size(); ++next)
      flow_.each_before(queue_[next], [&](State state) { visit(state); });
    return sides(0, 1);
  }

  // Vertices of which this state was reached are on this side; those of which the other one was, separate.
  std::vector<std::uint8_t> sides(State beyond, std::uint8_t side) const {
    std::vector<std::uint8_t> found(graph_.at_source.size());
    for (std::size_t v = 0; v < found.size(); ++v)
      found[v] = level_[2 * v + beyond] ? side : level_[2 * v + 1 - beyond] ? kSeparator : 1 - side;
    return found;
  }

  const Between& graph_;
  Flow flow_;
  std::vector<std::int32_t> level_;      // from 1; 0: not reached, -1: of no use in this phase
  std::vector<std::int64_t> successor_;  // of each state, the one that is tried next
  std::vector<State> queue_, walk_;
};

}  // namespace apsp::elimination
