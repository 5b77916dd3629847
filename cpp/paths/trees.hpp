// Shortest path trees from rows of final distances: one search along tight arcs per row, O(m).
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "graph/matrix.hpp"
#include "graph/weighted_arcs.hpp"
#include "runtime/control.hpp"

namespace apsp::paths {

// pred[i, v] = the vertex before v on a shortest path from sources[i], -1 for the source itself and where
// there is no path. dist (count, n) in public values. Integers follow arcs that are tight exactly; floats
// too, and if these do not reach all vertices, the arcs with the smallest rounding error (row_search.hpp).
// Throws std::invalid_argument for vertices out of range.
template <class T>
void trees(const graph::Csr& graph, const graph::WeightedArcs& arcs, const std::int32_t* sources,
           graph::Matrix<T> dist, graph::Matrix<std::int32_t> pred, int threads, Control& control);

}  // namespace apsp::paths
