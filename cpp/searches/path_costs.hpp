// Sums of other costs along the shortest paths of one search: of equally short paths that with the least sum
// of the first cost counts, of these that with the least of the second, and so on (tuples in lexicographic
// order, Carré 1971). A second pass over the arcs of the vertices within the bound, in the order of lengths.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "graph/csr.hpp"
#include "rows/arcs.hpp"
#include "runtime/control.hpp"
#include "runtime/marks.hpp"
#include "searches/heap.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {

// Costs of the arcs, `size` of them per arc, in the order in which `arcs` has them.
template <class T>
class ArcCosts {
 public:
  ArcCosts() = default;
  // costs: (m, size) of the arcs of the graph, of which `arcs` leaves out some; weights: those of `arcs`.
  ArcCosts(const graph::Csr& graph, const T* weights, const rows::Arcs<T>& arcs, const double* costs,
           int size)
      : size_(size), base_(graph.n > 0 ? arcs.all(0).begin() : nullptr) {
    costs_.reserve(static_cast<std::size_t>(graph.m * size));
    for (std::int32_t v = 0; v < graph.n; ++v) {
      const std::int64_t tail = arcs.original(v);
      for (std::int64_t a = graph.indptr[tail]; a < graph.indptr[tail + 1]; ++a) {
        if (!rows::Arcs<T>::has(tail, graph.indices[a], weights[a])) continue;
        costs_.insert(costs_.end(), costs + a * size, costs + (a + 1) * size);
        has_zero_ |= std::is_floating_point_v<T> || weights[a] == T{0};
      }
    }
  }

  int size() const noexcept { return size_; }
  // Whether an arc may not make a path longer, also by rounding.
  bool has_zero() const noexcept { return has_zero_; }
  const double* of(const rows::Arc<T>& arc) const noexcept { return costs_.data() + (&arc - base_) * size_; }

 private:
  int size_ = 0;
  const rows::Arc<T>* base_ = nullptr;
  std::vector<double> costs_;
  bool has_zero_ = false;
};

// Vertices are internal numbers.
template <class T>
class PathCosts {
 public:
  PathCosts(const rows::Arcs<T>& arcs, const ArcCosts<T>& costs)
      : arcs_(arcs),
        costs_(costs),
        size_(costs.size()),
        sums_(static_cast<std::size_t>(arcs.n() * costs.size())),
        sum_(static_cast<std::size_t>(costs.size())),
        hops_(static_cast<std::size_t>(arcs.n())),
        reached_(arcs.n()),
        open_(arcs.n(), nullptr, Key{}) {}

  // reached: every vertex within the bound, in the order of lengths, the source first; lengths[v]: of those,
  // and anything that is not shorter of others.
  void run(const std::vector<std::int32_t>& reached, const T* lengths, const Control& control);

  // Of a vertex of the last run.
  const double* sums(std::int32_t v) const noexcept {
    return sums_.data() + static_cast<std::int64_t>(v) * size_;
  }
  std::int32_t hop(std::int32_t v) const noexcept { return hops_[v]; }

 private:
  using Place = std::vector<std::int32_t>::const_iterator;

  double* at(std::int32_t v) noexcept { return sums_.data() + static_cast<std::int64_t>(v) * size_; }

  rows::ArcRange<T> out_of(std::int32_t v, std::int32_t source) const noexcept {
    return v == source ? arcs_.all(v) : arcs_.through(v);
  }

  // Arcs between vertices at the same distance: Dijkstra over the tuples, to which arcs of length 0 add none
  // below 0. An arc that rounding makes so, whose costs may be below 0, counts only for a vertex without a
  // path.
  void close(Place first, Place last, std::int32_t source, T here, const T* lengths);

  void open(std::int32_t v) { open_.lower(v, Key{sums(v), size_}, Key{}, false); }

  // Whether the path through this arc is better than that of its head.
  bool relax(std::int32_t v, const rows::Arc<T>& arc, std::int32_t source);

  struct Key {
    const double* sums;  // of the vertex, which change only before its key is lowered
    std::int64_t size;

    friend bool operator<(const Key& a, const Key& b) noexcept {
      return std::lexicographical_compare(a.sums, a.sums + a.size, b.sums, b.sums + b.size);
    }
  };

  const rows::Arcs<T>& arcs_;
  const ArcCosts<T>& costs_;
  std::int64_t size_;
  std::vector<double> sums_, sum_;
  std::vector<std::int32_t> hops_;
  Marks reached_;
  HeapQueue<Key> open_;
};

}  // namespace apsp::searches
