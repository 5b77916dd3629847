// Disjoint paths: every vertex has capacity one.
#include "elimination/flow_by_levels.hpp"

namespace apsp::elimination {
namespace {

class DisjointPaths {
 public:
  static constexpr bool kOnce = true;

  explicit DisjointPaths(const Between& graph)
      : graph_(graph), on_path_(graph.at_source.size()), before_(on_path_.size(), -1), after_(before_) {}

  // From 2v, a vertex on no path is passed; where there is a path, its part up to v is given up, and what
  // came that way leaves from the vertex before. From 2v + 1 to the neighbours; or, on a path, the vertex is
  // given up.
  std::int64_t count(State state) const {
    const Vertex v = state / 2;
    if (state % 2 == 0) return !on_path_[v] || before_[v] >= 0;
    return graph_.start[v + 1] - graph_.start[v] + on_path_[v];
  }
  State successor(State state, std::int64_t i) const {
    const Vertex v = state / 2;
    if (state % 2 == 0) return 2 * (on_path_[v] ? before_[v] : v) + 1;
    return graph_.start[v] + i < graph_.start[v + 1] ? 2 * graph_.other[graph_.start[v] + i] : 2 * v;
  }
  static bool has_room(State, std::int64_t) { return true; }

  std::int64_t augment(const std::vector<State>& walk, const std::vector<std::int64_t>&) {
    before_[walk.front() / 2] = -1;
    for (std::size_t i = 0; i + 1 < walk.size(); ++i) {
      const Vertex v = walk[i] / 2, u = walk[i + 1] / 2;
      if (walk[i] % 2 == 0) {
        if (v == u) on_path_[v] = true;  // otherwise the arc from u to v is given up, u gets another below
      } else if (v == u) {
        on_path_[v] = false;
      } else {
        after_[v] = u;
        before_[u] = v;
      }
    }
    after_[walk.back() / 2] = -1;
    return 1;
  }

  template <class Visit>
  void each_before(State state, const Visit& visit) const {
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

 private:
  const Between& graph_;
  std::vector<std::uint8_t> on_path_;
  std::vector<Vertex> before_, after_;  // of a vertex on a path; -1: the source, the sink
};

}  // namespace

Cuts smallest_cuts(const Between& graph, const Control& control) {
  return FlowByLevels(graph, DisjointPaths(graph)).run(control);
}

}  // namespace apsp::elimination
