// Rows of a matrix, and their predecessors, from the pairs within the cutoff: every other entry is "no path".
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

// The pairs of source number i: from starts[i] to starts[i + 1], in any order, each target once.
template <class T>
struct PairsToWrite {
  const std::int64_t* starts = nullptr;  // (count + 1,)
  const std::int32_t* targets = nullptr;
  const T* distances = nullptr;
};

// Writes the rows of the request. Its cutoff has no effect: the pairs are those within it, and of
// predecessors all of them. A predecessor is found along the arcs with d[u] + w == d[v], breadth first from
// the source, so that chains end there also along arcs of length zero; distances must be sums along paths,
// rounded arc by arc. weights (m,), none below zero, and the arcs, whose heads the caller has checked, are
// read only for predecessors. Throws std::invalid_argument for other vertices out of range.
template <class T>
void write_near(const graph::Csr& graph, const T* weights, const PairsToWrite<T>& pairs,
                const rows::RowRequest<T>& request, int threads, Control& control);

}  // namespace apsp::searches
