// One search from one source that touches only the vertices within a bound: Dijkstra 1959, with labels that
// are reset where they were written. A run takes no time for the rest of the graph.
#pragma once
#include <cstdint>
#include <vector>

#include "rows/arcs.hpp"
#include "runtime/control.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {

// Vertices are internal numbers here.
template <class T, class Queue>
class BallSearch {
 public:
  // Lengths beyond `bound` are not explored.
  BallSearch(const rows::Arcs<T>& arcs, T bound)
      : arcs_(arcs),
        ceiling_(semiring::just_beyond(bound)),
        labels_(arcs.n(), ceiling_),
        queue_(arcs.n(), labels_.data(), arcs.largest_weight()) {}

  // visit(v, length) is called for every vertex within the bound, in order of length.
  template <class Visit>
  void run(std::int32_t source, const Control& control, Visit&& visit) {
    for (const std::int32_t v : touched_) labels_[v] = ceiling_;
    touched_.clear();
    queue_.clear();
    if (!(T{0} < ceiling_)) return;
    labels_[source] = T{0};
    touched_.push_back(source);
    visit(source, T{0});
    relax(T{0}, arcs_.all(source));
    std::int64_t taken = 0;
    for (std::int32_t v; (v = queue_.pop()) >= 0;) {
      const T length = labels_[v];
      visit(v, length);
      relax(length, arcs_.through(v));
      if ((++taken & 0xfff) == 0) control.check();
    }
  }

 private:
  void relax(T length, rows::ArcRange<T> range) {
    for (const rows::Arc<T>& arc : range) {
      const semiring::Sum<T> sum = semiring::add(length, arc.weight);
      const T old = labels_[arc.head];
      if (!(sum < static_cast<semiring::Sum<T>>(old))) continue;
      const bool first_time = !(old < ceiling_);
      if (first_time) touched_.push_back(arc.head);
      labels_[arc.head] = static_cast<T>(sum);
      queue_.lower(arc.head, static_cast<T>(sum), old, first_time);
    }
  }

  const rows::Arcs<T>& arcs_;
  T ceiling_;
  std::vector<T> labels_;
  std::vector<std::int32_t> touched_;
  Queue queue_;
};

}  // namespace apsp::searches
