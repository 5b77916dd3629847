// Tight arcs: d[u] + w == d[v]. A distance is right if no arc improves it and a chain of tight arcs leads to
// it from the source; so final distances alone determine a shortest path tree, also among arcs and cycles of
// length zero.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "sparse/csr.hpp"
#include "sparse/length.hpp"

namespace apsp::paths {

using sparse::Csr;
using sparse::kNoPath;

// Arc lengths are compared in a type that no sum of a distance and a weight leaves.
template <class T>
using Weight = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
__extension__ typedef __int128 WideInteger;
template <class T>
using Exact = std::conditional_t<std::is_floating_point_v<T>, double, WideInteger>;

// Compares d[u] + w with d[v]: integers exactly; floats within `tolerance` times the size of the numbers, or,
// where negative arcs let large lengths cancel, of the largest number of the row.
template <class T>
class Comparison {
 public:
  Comparison(const Csr& graph, const Weight<T>* weights, double tolerance) : tolerance_(tolerance) {
    for (std::int64_t a = 0; a < graph.m; ++a) {
      largest_weight_ = std::max(largest_weight_, std::abs(static_cast<double>(weights[a])));
      negative_ = negative_ || weights[a] < 0;
    }
  }

  bool negative() const noexcept { return negative_; }

  void start_row(const T* dist, std::int64_t n) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      row_size_ = 0;
      if (!negative_) return;
      row_size_ = largest_weight_;
      for (std::int64_t v = 0; v < n; ++v)
        if (dist[v] != kNoPath<T>) row_size_ = std::max(row_size_, std::abs(static_cast<double>(dist[v])));
    }
  }

  // The arc makes d[v] shorter than claimed.
  bool improves(T du, Weight<T> weight, Exact<T> dv) const noexcept {
    const Exact<T> sum = static_cast<Exact<T>>(du) + static_cast<Exact<T>>(weight);
    if constexpr (std::is_floating_point_v<T>)
      return sum < dv - margin(sum, dv);
    else
      return sum < dv;
  }

  bool tight(T du, Weight<T> weight, T dv) const noexcept {
    const Exact<T> sum = static_cast<Exact<T>>(du) + static_cast<Exact<T>>(weight);
    const auto claim = static_cast<Exact<T>>(dv);
    if constexpr (std::is_floating_point_v<T>)
      // Equality after rounding to T is what a search that adds along its path leaves.
      return static_cast<T>(sum) == dv || std::abs(sum - claim) <= margin(sum, claim);
    else
      return sum == claim;
  }

 private:
  double margin(double a, double b) const noexcept {
    const double size = std::max({row_size_, std::abs(a), std::isfinite(b) ? std::abs(b) : 0.0});
    return tolerance_ * size;
  }

  double tolerance_;
  double largest_weight_ = 0;
  double row_size_ = 0;
  bool negative_ = false;
};

// Breadth-first search from the source along tight arcs: parents[v] for every vertex it reaches, -1 elsewhere
// and at the source. Returns how many it reached, the source included. queue and parents have n elements.
template <class T>
std::int64_t tight_tree(const Csr& graph, const Weight<T>* weights, std::int32_t source, const T* dist,
                        const Comparison<T>& compare, std::int32_t* parents,
                        std::vector<std::int32_t>& queue) {
  constexpr std::int32_t kUnseen = -2;
  std::fill(parents, parents + graph.n, kUnseen);
  queue.clear();
  queue.push_back(source);
  parents[source] = -1;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::int32_t u = queue[next];
    if (graph.is_terminal(u) && u != source) continue;
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
      const std::int32_t v = graph.indices[a];
      if (parents[v] != kUnseen || dist[v] == kNoPath<T>) continue;
      if (!compare.tight(dist[u], weights[a], dist[v])) continue;
      parents[v] = u;
      queue.push_back(v);
    }
  }
  for (std::int64_t v = 0; v < graph.n; ++v)
    if (parents[v] == kUnseen) parents[v] = -1;
  return static_cast<std::int64_t>(queue.size());
}

}  // namespace apsp::paths
