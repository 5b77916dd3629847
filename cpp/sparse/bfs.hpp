// Breadth-first search from up to 64 sources at once: one bit a source.
// Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo 2014, "The more the merrier: efficient
// multi-source graph traversal", section 3. Moore 1959 for the search itself.
#pragma once
#include <cstdint>

#include "runtime/control.hpp"
#include "sparse/csr.hpp"
#include "sparse/rows.hpp"

namespace apsp::sparse {

// Every arc counts 1. T: any of the five dtypes. Advances control by the sources of each finished batch.
template <class T>
void bfs_rows(const Csr& graph, const RowRequest<T>& request, int threads, Control& control);

}  // namespace apsp::sparse
