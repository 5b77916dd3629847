// Breadth-first search from up to 64 sources at once: one bit per source.
// Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo 2014, "The more the merrier: efficient
// multi-source graph traversal", section 3. Moore 1959 for the search itself.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

// The length of every arc is 1. T: any of the five dtypes. Advances control by the sources of each finished
// batch.
template <class T>
void bfs_rows(const graph::Csr& graph, const rows::RowRequest<T>& request, int threads, Control& control);

}  // namespace apsp::searches
