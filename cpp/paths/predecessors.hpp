// Predecessors from final distances: nothing is tracked while distances are computed, which would double the
// time. Usable after any method that has all n x n distances.
#pragma once
#include <cstdint>

#include "graph/matrix.hpp"

namespace apsp::paths {

// pred[i, v] = the vertex before v on a shortest (widest, ...) path from i; -1 for v = i and where there is
// no path. dist (n, n) in public values; no path passes through `closed` vertices (null: there are none).
// Following pred ends at i for every v: see kernels_simd.cpp (distances rise strictly) and row_search.hpp
// (proofs there). The length of the path is dist, exactly for integers, within rounding for floats. Cost for
// non-negative weights: about n^2 times the number of tight arcs into a vertex that are tried (a few), arcs
// of length zero included (graph/zero_components.hpp); with negative arcs, or floats that are rounded
// differently beside arcs of length zero, n times the tight arcs at worst.
template <class T>
void predecessors(graph::Matrix<T> dist, graph::Matrix<std::int32_t> pred, const graph::WeightedArcs& arcs,
                  semiring::Algebra algebra, bool nonnegative, const bool* closed, Team& team,
                  Control& control);

}  // namespace apsp::paths
