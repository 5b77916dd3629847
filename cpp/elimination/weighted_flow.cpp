// As much passes a vertex as it has mass.
#include <algorithm>
#include <limits>

#include "elimination/flow_by_levels.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

class MassFlow {
 public:
  static constexpr bool kOnce = false;

  MassFlow(const Between& graph, const std::vector<std::int64_t>& mass)
      : graph_(graph),
        mass_(mass),
        twin_(graph.other.size()),
        passed_(mass.size()),
        along_(graph.other.size()) {
    // Of each vertex the entries that lead to it from lower ones, which are found in the rows of these.
    std::vector<std::int64_t> end(graph.start.begin(), graph.start.end() - 1), entry(graph.other.size());
    std::vector<Vertex> tail(graph.other.size());
    std::vector<std::int64_t> from(mass.size());
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

  // From 2v through the vertex, or back along entries from which flow has come. From 2v + 1 to the
  // neighbours, or back through the vertex.
  std::int64_t count(State state) const { return graph_.start[state / 2 + 1] - graph_.start[state / 2] + 1; }
  State successor(State state, std::int64_t i) const {
    if (i == 0) return state ^ 1;
    return 2 * graph_.other[graph_.start[state / 2] + i - 1] + (state % 2 == 0);
  }
  bool has_room(State state, std::int64_t i) const { return room(state, i) > 0; }

  std::int64_t augment(const std::vector<State>& walk, const std::vector<std::int64_t>& successors) {
    std::int64_t amount = kUnlimited;
    for (std::size_t i = 0; i + 1 < walk.size(); ++i)
      amount = std::min(amount, room(walk[i], successors[walk[i]]));
    for (std::size_t i = 0; i + 1 < walk.size(); ++i) push(walk[i], successors[walk[i]], amount);
    return amount;
  }

  template <class Visit>
  void each_before(State state, const Visit& visit) const {
    const Vertex v = state / 2;
    for (std::int64_t at = graph_.start[v]; at < graph_.start[v + 1]; ++at) {
      if (state % 2 == 0)
        visit(2 * graph_.other[at] + 1);
      else if (along_[at] > 0)
        visit(2 * graph_.other[at]);
    }
    if (state % 2 == 0 ? passed_[v] > 0 : passed_[v] < mass_[v]) visit(state ^ 1);
  }

 private:
  std::int64_t room(State state, std::int64_t i) const {
    const Vertex v = state / 2;
    if (i == 0) return state % 2 == 0 ? mass_[v] - passed_[v] : passed_[v];
    return state % 2 == 0 ? along_[twin_[graph_.start[v] + i - 1]] : kUnlimited;
  }

  void push(State state, std::int64_t i, std::int64_t amount) {
    const Vertex v = state / 2;
    const std::int64_t at = graph_.start[v] + i - 1;
    if (i == 0)
      passed_[v] += state % 2 == 0 ? amount : -amount;
    else if (state % 2 == 0)
      along_[twin_[at]] -= amount;
    else
      along_[at] += amount;
  }

  const Between& graph_;
  const std::vector<std::int64_t>& mass_;
  std::vector<std::int64_t> twin_;    // of an entry, that of its other direction
  std::vector<std::int64_t> passed_;  // (k) through the vertex
  std::vector<std::int64_t> along_;   // along an entry
};

}  // namespace

Cuts lightest_cuts(const Between& graph, const std::vector<std::int64_t>& mass, const Control& control) {
  return FlowByLevels(graph, MassFlow(graph, mass)).run(control);
}

}  // namespace apsp::elimination
