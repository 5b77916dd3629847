// Ways to a target: from each vertex one that is a shortest path, up to rounding. They are looked for where
// they are needed, and form a tree, also where arcs have length zero.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/marks.hpp"
#include "simple_paths/bounds.hpp"

namespace apsp::walks {

template <class T>
class Ways {
 public:
  Ways(const graph::Csr& graph, const T* weights)
      : graph_(graph), weights_(weights), arcs_(graph.n), known_(graph.n), seen_(graph.n) {}

  void begin(std::int32_t target) {
    known_.clear();
    target_ = target;
  }

  // Makes the way known from v, which has a path to the target, and from all vertices on it.
  void find(std::int32_t v, const simple_paths::Bounds<T>& bounds) {
    if (is_known(v)) return;
    seen_.clear(), seen_.add(v);
    steps_.assign(1, {v, 0});
    while (true) {
      if (steps_.empty()) throw std::logic_error("no way to the target");
      Step& step = steps_.back();
      const std::int64_t arc = advance(step, bounds);
      if (arc < 0) {
        steps_.pop_back();
        continue;
      }
      step.arc = arc;
      const std::int32_t head = graph_.indices[arc];
      if (is_known(head)) break;
      seen_.add(head);
      steps_.push_back({head, 0});
    }
    for (const Step& step : steps_) arcs_[step.vertex] = step.arc, known_.add(step.vertex);
  }

  // The first arc of the way from a vertex from which it is known, but not of the target.
  std::int64_t arc(std::int32_t v) const noexcept { return arcs_[v]; }

 private:
  struct Step {
    std::int32_t vertex;
    std::int64_t tried;  // arcs, each of them twice: those to vertices that are nearer come first
    std::int64_t arc = -1;
  };

  bool is_known(std::int32_t v) const noexcept { return v == target_ || known_.has(v); }

  std::int64_t advance(Step& step, const simple_paths::Bounds<T>& bounds) const {
    const std::int64_t first = graph_.indptr[step.vertex], count = graph_.indptr[step.vertex + 1] - first;
    while (step.tried < 2 * count) {
      const bool nearer = step.tried < count;
      const std::int64_t arc = first + step.tried++ % count;
      const std::int32_t head = graph_.indices[arc];
      if ((bounds.dist[head] < bounds.dist[step.vertex]) != nearer || !bounds.has_path(head)) continue;
      if (seen_.has(head) || (head != target_ && graph_.is_zone(head))) continue;
      const auto length = static_cast<simple_paths::Label<T>>(weights_[arc]) +
                          static_cast<simple_paths::Label<T>>(bounds.dist[head]);
      if (bounds.is_shortest(length, step.vertex)) return arc;
    }
    return -1;
  }

  const graph::Csr& graph_;
  const T* weights_;
  std::vector<std::int64_t> arcs_;
  Marks known_, seen_;
  std::vector<Step> steps_;
  std::int32_t target_ = 0;
};

}  // namespace apsp::walks
