// Several costs along shortest paths, by a search per source: Dijkstra with tuples as lengths.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "runtime/control.hpp"
#include "semiring/cost_matrices.hpp"

namespace apsp::searches {

// As elimination::fill_skims; costs: (m) tuples. Cost: O(m log n) per source, until the targets are reached;
// memory: n tuples per thread.
template <int kSize>
void fill_skims(const graph::Csr& graph, const semiring::Costs<kSize>* costs, const std::int32_t* sources,
                const std::int32_t* targets, const semiring::CostMatrices& out, int threads,
                Control& control);

}  // namespace apsp::searches
