// One search from one source that touches only the vertices within a bound: Dijkstra 1959, with labels that
// are reset where they were written. A run takes no time for the rest of the graph.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "rows/arcs.hpp"
#include "runtime/control.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {

// Vertices are internal numbers here. kHops: keep the first vertex after the source on the path to each
// vertex.
template <class T, class Queue, bool kHops = false>
class BallSearch {
 public:
  // Lengths beyond `bound` are not explored.
  BallSearch(const rows::Arcs<T>& arcs, T bound)
      : arcs_(arcs),
        ceiling_(semiring::just_beyond(bound)),
        labels_(arcs.n(), ceiling_),
        hops_(kHops ? arcs.n() : 0),
        queue_(arcs.n(), labels_.data(), std::max(T{0}, std::min(arcs.largest_weight(), bound))) {}

  // visit(v, length) is called for every vertex within the bound, in order of length, until it returns false.
  template <class Visit>
  void run(std::int32_t source, const Control& control, Visit&& visit) {
    for (const std::int32_t v : touched_) labels_[v] = ceiling_;
    touched_.clear();
    queue_.clear();
    if (!(T{0} < ceiling_)) return;
    labels_[source] = T{0};
    touched_.push_back(source);
    if constexpr (kHops) hops_[source] = source;
    if (!visit(source, T{0})) return;
    for (const rows::Arc<T>& arc : arcs_.all(source)) relax(T{0}, arc, arc.head);
    std::int64_t taken = 0;
    for (std::int32_t v; (v = queue_.pop()) >= 0;) {
      const T length = labels_[v];
      if (!visit(v, length)) return;
      const std::int32_t hop = kHops ? hops_[v] : 0;
      for (const rows::Arc<T>& arc : arcs_.through(v)) relax(length, arc, hop);
      if ((++taken & 0xfff) == 0) control.check();
    }
  }

  // Of a vertex that the last run visited: the source itself for the source.
  std::int32_t hop(std::int32_t v) const noexcept { return hops_[v]; }

  // (n,) of the vertices that the last run visited; of others a length that is not shorter.
  const T* lengths() const noexcept { return labels_.data(); }

 private:
  void relax(T length, const rows::Arc<T>& arc, std::int32_t hop) {
    const semiring::Sum<T> sum = semiring::add(length, arc.weight);
    const T old = labels_[arc.head];
    if (!(sum < static_cast<semiring::Sum<T>>(old))) return;
    const bool first_time = !(old < ceiling_);
    if (first_time) touched_.push_back(arc.head);
    labels_[arc.head] = static_cast<T>(sum);
    if constexpr (kHops) hops_[arc.head] = hop;
    queue_.lower(arc.head, static_cast<T>(sum), old, first_time);
  }

  const rows::Arcs<T>& arcs_;
  T ceiling_;
  std::vector<T> labels_;
  std::vector<std::int32_t> hops_, touched_;
  Queue queue_;
};

}  // namespace apsp::searches
