// The nearest of some seeds, for every vertex: one search from all of them (network Voronoi cells; Erwig
// 2000, "The graph Voronoi diagram with applications").
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

// nearest[v * k ...], lengths[v * k ...]: the k seeds with the shortest paths to v, nearest first, of equally
// near ones the first in `seeds`; then -1 and "no path". Paths longer than `cutoff` do not count.
// before: (n,) the vertex before each vertex on the path from its seed, -1 if there is none; or nullptr. Only
// for k = 1. A path starts where it comes to the seed, which may be nearer to another seed, at distance 0.
// Throws std::invalid_argument for arrays that are not a graph, seeds out of range, negative weights.
template <class T>
void nearest_seeds(const graph::Csr& graph, const T* weights, const std::int32_t* seeds, std::int64_t count,
                   std::int64_t k, T cutoff, std::int32_t* nearest, T* lengths, std::int32_t* before,
                   Control& control);

}  // namespace apsp::searches
