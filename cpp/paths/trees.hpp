// Shortest path trees out of rows of final distances: one search along tight arcs a row, O(m).
#pragma once
#include <cstdint>

#include "dense/arcs.hpp"
#include "dense/matrix.hpp"
#include "runtime/control.hpp"
#include "sparse/csr.hpp"

namespace apsp::paths {

// pred[i, v] = the vertex before v on a shortest path from sources[i], -1 for the source itself and where
// there is no path. dist (count, n) in public values. Integers follow arcs that are tight exactly; floats
// too, and where these do not reach everything, the arcs with the least rounding (dense/row_search.hpp).
// Throws std::invalid_argument for vertices out of range.
template <class T>
void trees(const sparse::Csr& graph, const dense::Arcs& arcs, const std::int32_t* sources,
           dense::Matrix<T> dist, dense::Matrix<std::int32_t> pred, int threads, Control& control);

}  // namespace apsp::paths
