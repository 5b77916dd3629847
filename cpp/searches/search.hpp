// One search from one source: Dijkstra 1959, label setting, with any queue that returns vertices in order
// of length.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "rows/arcs.hpp"
#include "runtime/control.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {

// Vertices are internal numbers here. A predecessor is set only when its vertex is taken from the queue, and
// only by a strictly shorter label, so predecessor chains follow the order of settling and always end at the
// source, also along arcs and cycles of length zero.
template <class T, class Queue, bool kPred>
class Search {
 public:
  explicit Search(const rows::Arcs<T>& arcs)
      : arcs_(arcs),
        labels_(arcs.n()),
        parents_(kPred ? arcs.n() : 0),
        queue_(arcs.n(), labels_.data(), arcs.largest_weight()) {}

  // waiting: the number of vertices v with wanted[v] != 0 (0: all vertices are wanted); the search stops when
  // all of them are settled. Lengths beyond `cutoff` are not explored. visit(v) is called for every settled
  // vertex in order.
  template <class Visit>
  void run(std::int32_t source, T cutoff, const std::vector<std::uint8_t>& wanted, std::int64_t waiting,
           const Control& control, Visit&& visit) {
    ceiling_ = semiring::just_beyond(cutoff);
    if (!forgotten_) std::fill(labels_.begin(), labels_.end(), ceiling_);
    forgotten_ = false;
    queue_.clear();
    const bool early = waiting > 0;
    const T start = T{0};
    if (!(start < ceiling_)) return;
    labels_[source] = start;
    visit(source);
    if (early && wanted[source] && --waiting == 0) return finish_at(start);
    relax(source, start, arcs_.all(source));
    std::int64_t taken = 0;
    for (std::int32_t v; (v = queue_.pop()) >= 0;) {
      const T length = labels_[v];
      visit(v);
      if (early && wanted[v] && --waiting == 0) return finish_at(length);
      relax(v, length, arcs_.through(v));
      if ((++taken & 0xfff) == 0) control.check();
    }
  }

  // The next run, with the same cutoff, takes time for what it reaches, not for all vertices, if the last one
  // has settled few. settled: all that it visited, without an early end.
  void forget(const std::vector<std::int32_t>& settled) {
    if (2 * settled.size() > labels_.size()) return;
    for (const std::int32_t v : settled) labels_[v] = ceiling_;
    forgotten_ = true;
  }

  // Lengths of the last run; a vertex whose label is not below ceiling() was not reached (or not settled).
  const T* labels() const noexcept { return labels_.data(); }
  T ceiling() const noexcept { return ceiling_; }
  // parents()[v] is valid if v was reached and is not the source.
  const std::int32_t* parents() const noexcept { return parents_.data(); }

 private:
  void relax(std::int32_t u, T length, rows::ArcRange<T> range) {
    for (const rows::Arc<T>& arc : range) {
      const semiring::Sum<T> sum = semiring::add(length, arc.weight);
      const T old = labels_[arc.head];
      if (sum < static_cast<semiring::Sum<T>>(old)) {
        const T shorter = static_cast<T>(sum);
        labels_[arc.head] = shorter;
        if constexpr (kPred) parents_[arc.head] = u;
        queue_.lower(arc.head, shorter, old, !(old < ceiling_));
      }
    }
  }

  // Stopped early: longer labels may not be final, so they count as not reached.
  void finish_at(T length) noexcept { ceiling_ = std::min(ceiling_, semiring::just_beyond(length)); }

  const rows::Arcs<T>& arcs_;
  std::vector<T> labels_;
  std::vector<std::int32_t> parents_;
  Queue queue_;
  T ceiling_ = semiring::kNoPath<T>;
  bool forgotten_ = false;  // the labels are those before a run
};

}  // namespace apsp::searches
