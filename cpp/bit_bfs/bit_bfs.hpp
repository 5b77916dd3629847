// Breadth-first search from up to 512 sources at once: one bit per source.
// Then et al. 2014, "The more the merrier: efficient multi-source graph traversal", section 4 (wide
// registers); Beamer, Asanovic, Patterson 2012, "Direction-optimizing breadth-first search", section 4.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"

namespace apsp::bit_bfs {

// The length of every arc is 1. T: any of the five dtypes. Advances control by the sources of each finished
// batch. For graphs with a distance of 65,535 arcs or more, bfs_rows computes all rows again.
template <class T>
void bit_bfs_rows(const graph::Csr& graph, const rows::RowRequest<T>& request, int threads, Control& control);

}  // namespace apsp::bit_bfs
