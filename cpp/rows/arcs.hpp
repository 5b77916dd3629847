// The arcs in the form that searches read: pairs of head and weight, in the internal vertex order, without
// the arcs that no shortest path uses (self-loops and arcs as long as "no path").
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/dtypes.hpp"
#include "semiring/length.hpp"

namespace apsp::rows {

template <class T>
struct Arc {
  std::int32_t head;
  T weight;
};

// A read-only view of part of a row of arcs.
template <class T>
struct ArcRange {
  const Arc<T>* first;
  const Arc<T>* last;
  const Arc<T>* begin() const noexcept { return first; }
  const Arc<T>* end() const noexcept { return last; }
};

template <class T>
class Arcs {
 public:
  // order: (n,) the original number of each internal vertex, a permutation; nullptr keeps the original
  // numbers. Throws std::invalid_argument for a weight below zero or not-a-number, or if order is not a
  // permutation.
  Arcs(const graph::Csr& graph, const T* weights, const std::int32_t* order);

  // Whether an arc of the graph is kept.
  static bool has(std::int64_t tail, std::int64_t head, T weight) noexcept {
    return head != tail && weight < semiring::kNoPath<T>;
  }

  std::int64_t n() const noexcept { return n_; }
  T largest_weight() const noexcept { return largest_; }

  // All arcs of v (v is the source), or those that a path passing through v may take (none for a zone).
  ArcRange<T> all(std::int32_t v) const noexcept {
    const Row& row = rows_[v];
    return {arcs_.data() + row.first, arcs_.data() + row.first + row.degree};
  }
  ArcRange<T> through(std::int32_t v) const noexcept {
    const Row& row = rows_[v];
    return {arcs_.data() + row.first, arcs_.data() + row.first + row.through};
  }

  bool reordered() const noexcept { return !inner_.empty(); }
  std::int32_t inner(std::int32_t original) const noexcept {
    return reordered() ? inner_[original] : original;
  }
  // (n,) of all original numbers; null if they are the same.
  const std::int32_t* inner_numbers() const noexcept { return reordered() ? inner_.data() : nullptr; }
  std::int32_t original(std::int32_t inner) const noexcept { return reordered() ? original_[inner] : inner; }

 private:
  struct Row {
    std::int64_t first;
    std::int32_t degree;
    std::int32_t through;
  };

  void invert(const std::int32_t* order);
  void append_row(const graph::Csr& graph, const T* weights, std::int64_t v);

  std::int64_t n_;
  std::vector<Row> rows_;
  std::vector<Arc<T>> arcs_;
  std::vector<std::int32_t> inner_, original_;
  T largest_ = T{0};
};

template <class T>
Arcs<T>::Arcs(const graph::Csr& graph, const T* weights, const std::int32_t* order) : n_(graph.n) {
  if (order != nullptr) invert(order);
  rows_.resize(n_);
  arcs_.reserve(graph.m);
  for (std::int64_t v = 0; v < n_; ++v) append_row(graph, weights, v);
}

template <class T>
void Arcs<T>::invert(const std::int32_t* order) {
  original_.assign(order, order + n_);
  inner_.assign(n_, -1);
  graph::check_vertices(order, n_, n_, "order");
  for (std::int64_t i = 0; i < n_; ++i) inner_[order[i]] = static_cast<std::int32_t>(i);
  for (const std::int32_t position : inner_)
    if (position < 0) throw std::invalid_argument("order must name every vertex once");
}

template <class T>
void Arcs<T>::append_row(const graph::Csr& graph, const T* weights, std::int64_t v) {
  const std::int64_t tail = original(static_cast<std::int32_t>(v));
  const auto first = static_cast<std::int64_t>(arcs_.size());
  for (std::int64_t a = graph.indptr[tail]; a < graph.indptr[tail + 1]; ++a) {
    const T weight = weights[a];
    if (!(weight >= T{0}))
      throw std::invalid_argument("arc " + std::to_string(a) + " is shorter than zero or not a number");
    if (!has(tail, graph.indices[a], weight)) continue;
    arcs_.push_back({inner(graph.indices[a]), weight});
    if (weight > largest_) largest_ = weight;
  }
  const auto degree = static_cast<std::int32_t>(static_cast<std::int64_t>(arcs_.size()) - first);
  rows_[v] = {first, degree, graph.is_zone(tail) ? 0 : degree};
}

// Compiled once, in arcs.cpp.
#define APSP_INSTANTIATE(T) extern template class Arcs<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::rows
