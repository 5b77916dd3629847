// Disjoint paths through a graph, and with them the smallest sets of vertices that separate two sides
// (Menger's theorem): maximum flow by levels, Dinitz 1970, in which every vertex has capacity one.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "elimination/neighbours.hpp"
#include "runtime/control.hpp"

namespace apsp::elimination {

// The vertices between a source and a sink, which are joined to some of them.
struct Between {
  std::vector<std::int64_t> start;  // (k + 1)
  std::vector<Vertex> other;
  std::vector<std::uint8_t> at_source, at_sink;  // (k)

  Vertex k() const noexcept { return static_cast<Vertex>(at_source.size()); }
};

// The smallest separators: (k) 0 and 1 for the vertices on the side of the source and of the sink, kSeparator
// for those of the separator that is nearest to the source, or to the sink.
struct SmallestCuts {
  std::int64_t size = 0;
  std::vector<std::uint8_t> nearest_source, nearest_sink;
};

class VertexFlow {
 public:
  explicit VertexFlow(const Between& graph);

  // Finds as many disjoint paths from the source to the sink as there are.
  SmallestCuts run(const Control& control);

 private:
  // A vertex has two states: 2v, a path has come to it, and 2v + 1, a path can leave it.
  using State = std::int32_t;
  std::int64_t count(State state) const;
  State successor(State state, std::int64_t i) const;
  bool find_levels();
  bool extend(State root);
  void apply();
  std::vector<std::uint8_t> nearest_source() const;
  std::vector<std::uint8_t> nearest_sink();
  void visit(State state) {
    if (!level_[state]) queue_.push_back(state);
    level_[state] = 1;
  }

  const Between& graph_;
  std::vector<std::uint8_t> on_path_;
  std::vector<Vertex> before_, after_;  // of a vertex on a path; -1: the source, the sink
  std::vector<std::int32_t> level_;     // from 1; 0: not reached, -1: of no use in this phase
  std::vector<std::int64_t> cursor_;    // the successor of each state that is tried next
  std::vector<State> queue_, walk_;
};

}  // namespace apsp::elimination
