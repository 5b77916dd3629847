#include "reductions/forest_sums.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace apsp::reductions {
namespace {

// A distance to a vertex; the smallest vertex of those at one distance counts.
struct Far {
  std::int64_t distance;
  std::int32_t vertex;

  bool beats(const Far& other) const {
    return distance != other.distance ? distance > other.distance : vertex < other.vertex;
  }
  Far after(std::int64_t step) const { return {distance + step, vertex}; }
};

class Forest {
 public:
  Forest(const graph::Csr& graph, const std::int64_t* lengths, const ForestSums& sums)
      : graph_(graph),
        lengths_(lengths),
        sums_(sums),
        parent_(graph.n, kUnseen),
        step_(graph.n),
        below_(graph.n),
        second_(graph.n) {}

  // The vertices of the tree of a root, parents before children; false if it is no tree.
  bool walk(std::int32_t root) {
    order_.assign(1, root);
    parent_[root] = kRoot;
    step_[root] = 0;
    std::int64_t arcs = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::int32_t u = order_[i];
      for (std::int64_t arc = graph_.indptr[u]; arc < graph_.indptr[u + 1]; ++arc) {
        const std::int32_t v = graph_.indices[arc];
        if (v == u) continue;
        ++arcs;
        if (parent_[v] != kUnseen) continue;
        parent_[v] = u;
        step_[v] = lengths_ != nullptr ? lengths_[arc] : 1;
        order_.push_back(v);
      }
    }
    return arcs == 2 * (static_cast<std::int64_t>(order_.size()) - 1);
  }

  void sum_up() {
    const auto size = static_cast<std::int64_t>(order_.size());
    for (const std::int32_t v : order_) {
      sums_.reached[v] = 1;
      sums_.total[v] = 0;
      below_[v] = {0, v};
      second_[v] = {0, v};
    }
    for (auto v = order_.rbegin(); v + 1 != order_.rend(); ++v) {
      const std::int32_t up = parent_[*v];
      sums_.reached[up] += sums_.reached[*v];
      sums_.total[up] += sums_.total[*v] + sums_.reached[*v] * step_[*v];
      Far far = below_[*v].after(step_[*v]);
      if (far.beats(below_[up])) std::swap(far, below_[up]);
      if (far.beats(second_[up])) second_[up] = far;
    }
    for (const std::int32_t v : order_) {
      if (const std::int32_t up = parent_[v]; up != kRoot) {
        // Until here, reached[v] counts the vertices below v. What is farthest from `up` may be below v, too.
        sums_.total[v] = sums_.total[up] + (size - 2 * sums_.reached[v]) * step_[v];
        const Far by_v = below_[v].after(step_[v]);
        const bool is_own = by_v.distance == below_[up].distance && by_v.vertex == below_[up].vertex;
        Far far = (is_own ? second_[up] : below_[up]).after(step_[v]);
        if (far.beats(below_[v])) std::swap(far, below_[v]);
        if (far.beats(second_[v])) second_[v] = far;
      }
      sums_.largest[v] = below_[v].distance;
      sums_.farthest[v] = below_[v].vertex;
    }
    for (const std::int32_t v : order_) sums_.reached[v] = size;
  }

  bool is_new(std::int32_t v) const { return parent_[v] == kUnseen; }

 private:
  static constexpr std::int32_t kUnseen = -1, kRoot = -2;

  const graph::Csr& graph_;
  const std::int64_t* lengths_;
  const ForestSums& sums_;
  std::vector<std::int32_t> parent_, order_;
  std::vector<std::int64_t> step_;   // the length of the arc to the parent
  std::vector<Far> below_, second_;  // the farthest vertex, and that by another neighbour
};

}  // namespace

bool forest_sums(const graph::Csr& graph, const std::int64_t* lengths, const ForestSums& sums,
                 const Control& control) {
  Forest forest(graph, lengths, sums);
  for (std::int32_t root = 0; root < graph.n; ++root) {
    if (!forest.is_new(root)) continue;
    control.check();
    if (!forest.walk(root)) return false;
    forest.sum_up();
  }
  return true;
}

}  // namespace apsp::reductions
