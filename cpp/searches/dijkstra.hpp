// Dijkstra from every requested source, one source per thread at a time.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

enum class QueueKind { kHeap, kBuckets };

// T: uint16_t, int32_t, int64_t, float or double. Advances control by one per finished source.
// Throws std::invalid_argument for arrays that are not a graph, sources or targets out of range, negative
// weights.
template <class T>
void dijkstra_rows(const graph::Csr& graph, const T* weights, const rows::RowRequest<T>& request,
                   QueueKind queue, int threads, Control& control);

}  // namespace apsp::searches
