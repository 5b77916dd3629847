// The lightest sets of vertices that separate two sides, of vertices that have masses: maximum flow by
// levels, Dinitz 1970, in which as much passes a vertex as it has mass. `VertexFlow` is faster where all
// masses are 1.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/vertex_flow.hpp"
#include "runtime/control.hpp"

namespace apsp::elimination {

class WeightedFlow {
 public:
  // mass (k): of each vertex. The graph is symmetric.
  WeightedFlow(const Between& graph, std::vector<std::int64_t> mass);

  // size: the mass of the lightest separators.
  SmallestCuts run(const Control& control);

 private:
  // A vertex has two states: 2v, flow has come to it, and 2v + 1, flow can leave it.
  using State = std::int32_t;
  std::int64_t count(State state) const;
  std::int64_t room(State state, std::int64_t i) const;
  State successor(State state, std::int64_t i) const;
  void push(State state, std::int64_t i, std::int64_t amount);
  bool find_levels();
  std::int64_t extend(State root);
  std::vector<std::uint8_t> nearest_source() const;
  std::vector<std::uint8_t> nearest_sink();

  const Between& graph_;
  const std::vector<std::int64_t> mass_;
  std::vector<std::int64_t> twin_;    // of an entry, that of its other direction
  std::vector<std::int64_t> passed_;  // (k) through the vertex
  std::vector<std::int64_t> along_;   // along an entry
  std::vector<std::int32_t> level_;   // from 1; 0: not reached, -1: of no use in this phase
  std::vector<std::int64_t> cursor_;  // the successor of each state that is tried next
  std::vector<State> queue_, walk_;
};

}  // namespace apsp::elimination
