// Breadth-first search from one vertex at a time, for searches whose sources are chosen one after another.
// Beamer, Asanovic, Patterson 2012, "Direction-optimizing breadth-first search", sections 3 and 4.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

// Writes the rows of a request without targets, cutoff and predecessors. `into` holds the reversed arcs of
// `out` (the same arrays in an undirected graph). No zones. Cost: O(n + m) per source, 8 n bytes per thread.
void levels(const graph::Csr& out, const graph::Csr& into, const rows::RowRequest<std::int32_t>& request,
            int threads, Control& control);

}  // namespace apsp::searches
