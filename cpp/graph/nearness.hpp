// The breadth-first order of the vertices: neighbours get numbers that are close to each other, for any order
// of the graph, so that the data that a search uses at one time shares cache lines. Cuthill, McKee 1969,
// without the sort by degree.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"

namespace apsp::graph {

// (n,) a permutation: the vertices in the order of a breadth-first search along the arcs, from vertex 0 and
// then from the first vertex that was not reached. O(n + m).
inline std::vector<std::int32_t> nearness_order(const Csr& graph) {
  std::vector<std::int32_t> order;
  order.reserve(graph.n);
  std::vector<std::uint8_t> met(graph.n, 0);
  for (std::int32_t root = 0; root < graph.n; ++root) {
    if (met[root]) continue;
    met[root] = 1;
    std::size_t next = order.size();
    for (order.push_back(root); next < order.size(); ++next) {
      const std::int32_t u = order[next];
      for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
        const std::int32_t v = graph.indices[a];
        if (met[v]) continue;
        met[v] = 1;
        order.push_back(v);
      }
    }
  }
  return order;
}

}  // namespace apsp::graph
