// Tight arcs: d[u] + w == d[v]. A distance is correct if no arc improves it and a chain of tight arcs leads
// to it from the source; so final distances alone determine a shortest path tree, also among arcs and cycles
// of length zero. Floats are tight here if the sum rounds to the distance, as for sums along paths; for
// sums in another order see float_tree.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "graph/csr.hpp"
#include "semiring/length.hpp"

namespace apsp::paths {

using graph::Csr;
using semiring::kNoPath;

// Arc lengths are compared in a type that no sum of a distance and a weight leaves.
template <class T>
using Weight = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
__extension__ typedef __int128 WideInteger;
template <class T>
using Exact = std::conditional_t<std::is_floating_point_v<T>, double, WideInteger>;

template <class T>
Exact<T> sum_of(T du, Weight<T> weight) noexcept {
  return static_cast<Exact<T>>(du) + static_cast<Exact<T>>(weight);
}

template <class T>
bool is_tight(T du, Weight<T> weight, T dv) noexcept {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(sum_of(du, weight)) == dv;
  else
    return sum_of(du, weight) == static_cast<Exact<T>>(dv);
}

// Breadth-first search from the source along tight arcs: parents[v] for every vertex it reaches, -1 elsewhere
// and at the source. Returns the number of vertices that it reached, including the source. queue and parents
// have n elements.
template <class T>
std::int64_t tight_tree(const Csr& graph, const Weight<T>* weights, std::int32_t source, const T* dist,
                        std::int32_t* parents, std::vector<std::int32_t>& queue) {
  constexpr std::int32_t kUnseen = -2;
  std::fill(parents, parents + graph.n, kUnseen);
  queue.clear();
  queue.push_back(source);
  parents[source] = -1;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::int32_t u = queue[next];
    if (graph.is_zone(u) && u != source) continue;
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
      const std::int32_t v = graph.indices[a];
      if (parents[v] != kUnseen || dist[v] == kNoPath<T>) continue;
      if (!is_tight(dist[u], weights[a], dist[v])) continue;
      parents[v] = u;
      queue.push_back(v);
    }
  }
  for (std::int64_t v = 0; v < graph.n; ++v)
    if (parents[v] == kUnseen) parents[v] = -1;
  return static_cast<std::int64_t>(queue.size());
}

}  // namespace apsp::paths
