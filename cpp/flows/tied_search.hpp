// One search from a source, and all arcs of its shortest paths, along which paths are counted.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "flows/flows.hpp"
#include "flows/zero_arcs.hpp"
#include "rows/arcs.hpp"
#include "searches/search.hpp"

namespace apsp::flows {

// Data shared by all threads; vertices have inner numbers.
template <class T>
struct LengthTask {
  const graph::Csr& csr;
  const std::int64_t* heights;  // (n,) potentials, or nullptr
  T cutoff;
  rows::Arcs<T> arcs;
  ZeroArcs zeros;

  // order: (n,) original numbers of the vertices, or nullptr.
  LengthTask(const graph::Csr& given, const T* weights, const std::int64_t* potentials, T most,
             const std::int32_t* order, const Control& control)
      : csr(given),
        heights(potentials),
        cutoff(most),
        arcs(given, weights, order),
        zeros(given, weights, control) {}
};

// Orders vertices at the same distance so that arcs of length zero lead forward; those in trees or on cycles
// of such arcs remain in the order in which the search settled them. order: by distance, the source first.
template <class T>
void order_zeros(const LengthTask<T>& task, const T* labels, std::vector<std::int32_t>& order);

// One thread's searches. Number: double, or std::uint64_t for numbers of paths modulo 2^64, which are those
// that double shows to be smaller; then nothing says that they are infinite.
template <class T, class Queue, class Number = double>
class TiedSearch {
 public:
  explicit TiedSearch(const LengthTask<T>& task)
      : task_(task),
        n_(task.csr.n),
        first_(task.arcs.n() > 0 ? task.arcs.all(0).first : nullptr),
        search_(task.arcs),
        paths_(n_),
        settled_(n_) {}

  // source: its original number.
  void run(std::int32_t source, const Control& control) {
    source_ = task_.arcs.inner(source);
    control_ = &control;
    if (!order_.empty()) search_.forget(order_);
    order_.clear();
    const T bound = task_.heights == nullptr ? task_.cutoff : semiring::kNoPath<T>;
    search_.run(source_, bound, {}, 0, control, [&](std::int32_t v) { order_.push_back(v); });
    if (task_.zeros.any() && !order_.empty()) order_zeros(task_, search_.labels(), order_);
  }

  // Counts the paths of the last run, in tight_ and starts_ their arcs, without those inside of trees of arcs
  // of length zero. The number is not-a-number for vertices on other cycles of length zero, and beyond them.
  // Throws LostLength.
  void count() {
    for (const std::int32_t v : order_) paths_[v] = settled_[v] = 0;
    paths_[source_] = 1;
    if constexpr (std::is_floating_point_v<Number>) {
      if (task_.zeros.any())
        for (const std::int32_t v : order_)
          if (task_.zeros.on_cycle(task_.arcs.original(v)))
            paths_[v] = std::numeric_limits<Number>::quiet_NaN();
    }
    tight_.clear();
    starts_.assign(1, 0);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::int32_t u = order_[i];
      settled_[u] = 1;
      const bool tree = is_in_tree(u);
      if (tree && (i == 0 || !is_same_tree(order_[i - 1], u))) enter_tree(i);
      for (const rows::Arc<T>& arc : arcs_of(u)) {
        if (tree && arc.weight == T{0} && is_same_tree(u, arc.head)) continue;
        if (!is_tight(u, arc)) continue;
        if constexpr (std::is_floating_point_v<T>) {
          if (settled_[arc.head] && arc.weight > T{0})
            throw LostLength{task_.arcs.original(u), task_.arcs.original(arc.head)};
        }
        paths_[arc.head] += paths_[u];
        tight_.push_back(&arc - first_);
      }
      starts_.push_back(static_cast<std::int64_t>(tight_.size()));
      if ((starts_.size() & kSeldom) == 0) control_->check();
    }
  }

  // After count(): the number of paths to a vertex (original number); 1 to the source itself. Throws
  // TooManyPaths or ZeroCycle if it is beyond float64 or infinite.
  Number paths(std::int64_t vertex) const {
    const std::int32_t v = task_.arcs.inner(static_cast<std::int32_t>(vertex));
    if (!reaches(v) || beyond(v)) return 0;
    if (v == source_) return 1;
    const Number number = paths_[v];
    if constexpr (std::is_floating_point_v<Number>) {
      if (number != number) throw ZeroCycle{cycle_before(v)};
      if (!(number < std::numeric_limits<Number>::infinity()))
        throw TooManyPaths{task_.arcs.original(source_)};
    }
    return number;
  }

  // A vertex that the last run reached on a cycle of length zero (original number), or -1.
  std::int32_t on_cycle() const {
    if (task_.zeros.any())
      for (const std::int32_t v : order_)
        if (task_.zeros.on_cycle(task_.arcs.original(v))) return task_.arcs.original(v);
    return -1;
  }

  // Calls visit(tail, head) for the arcs of the paths of the last run, in the order of their tails'
  // distances.
  template <class Visit>
  void for_each_tight(Visit&& visit) const {
    for (const std::int32_t u : order_)
      for (const rows::Arc<T>& arc : arcs_of(u))
        if (is_tight(u, arc)) visit(task_.arcs.original(u), task_.arcs.original(arc.head));
  }

 protected:
  static constexpr std::int64_t kSeldom = 0xffff;

  // Whether it is in a tree of arcs of length zero: the vertices of one are neighbours in order_.
  bool is_in_tree(std::int32_t v) const {
    return task_.zeros.any() && task_.zeros.in_tree(task_.arcs.original(v));
  }
  bool is_same_tree(std::int32_t u, std::int32_t v) const {
    return task_.zeros.rank(task_.arcs.original(u)) == task_.zeros.rank(task_.arcs.original(v));
  }

  bool reaches(std::int32_t v) const { return search_.labels()[v] < search_.ceiling(); }

  // Whether the distance without potentials is beyond the cutoff.
  bool beyond(std::int32_t v) const {
    if (task_.heights == nullptr || task_.cutoff >= semiring::kNoPath<T>) return false;
    const auto height =
        static_cast<T>(task_.heights[task_.arcs.original(v)] - task_.heights[task_.arcs.original(source_)]);
    return search_.labels()[v] + height > task_.cutoff;
  }

  rows::ArcRange<T> arcs_of(std::int32_t v) const {
    return v == source_ ? task_.arcs.all(v) : task_.arcs.through(v);
  }

  bool is_tight(std::int32_t u, const rows::Arc<T>& arc) const {
    const T length = search_.labels()[arc.head];
    return arc.head != source_ && length < search_.ceiling() &&
           semiring::add(search_.labels()[u], arc.weight) == static_cast<semiring::Sum<T>>(length);
  }

  const LengthTask<T>& task_;
  std::int64_t n_;
  const rows::Arc<T>* first_;  // of all arcs
  searches::Search<T, Queue, false> search_;
  std::vector<Number> paths_;
  std::vector<Number> entries_;  // in trees: the paths that enter it at a vertex, or begin there
  std::vector<std::uint8_t> settled_;
  std::vector<std::int32_t> order_;           // the vertices that the source reaches, by distance
  std::vector<std::int64_t> tight_, starts_;  // arcs of shortest paths, by tail in this order
  std::int32_t source_ = 0;
  const Control* control_ = nullptr;

 private:
  // From the first vertex of a tree on in order_: every path to the tree leads to each of its vertices.
  void enter_tree(std::size_t begin) {
    entries_.resize(n_);
    const std::size_t end = end_of_tree(begin);
    Number sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      entries_[order_[i]] = paths_[order_[i]];
      sum += paths_[order_[i]];
      settled_[order_[i]] = 1;
    }
    for (std::size_t i = begin; i < end; ++i) paths_[order_[i]] = sum;
  }

  // The place in order_ after the last vertex of the tree that begins at this place.
  std::size_t end_of_tree(std::size_t begin) const {
    std::size_t end = begin;
    while (end < order_.size() && is_same_tree(order_[begin], order_[end])) ++end;
    return end;
  }

  // A vertex on a cycle of length zero (original number) from which shortest paths lead to v.
  std::int32_t cycle_before(std::int32_t v) const {
    std::vector<std::int32_t> cycles(n_, -1);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::int32_t u = order_[i], original = task_.arcs.original(u);
      if (task_.zeros.on_cycle(original)) cycles[u] = original;
      if (is_in_tree(u) && (i == 0 || !is_same_tree(order_[i - 1], u))) {  // from an entrance to all of it
        const std::size_t end = end_of_tree(i);
        std::int32_t cycle = -1;
        for (std::size_t k = i; k < end; ++k) cycle = std::max(cycle, cycles[order_[k]]);
        for (std::size_t k = i; k < end; ++k) cycles[order_[k]] = cycle;
      }
      for (std::int64_t k = starts_[i]; k < starts_[i + 1]; ++k)
        if (cycles[u] >= 0) cycles[first_[tight_[k]].head] = cycles[u];
    }
    return cycles[v];
  }
};

}  // namespace apsp::flows
