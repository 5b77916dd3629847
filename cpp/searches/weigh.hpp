// Sums of amounts over the vertices within a bound of every source, one truncated search per source.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "reductions/weighing.hpp"
#include "runtime/control.hpp"
#include "searches/dijkstra.hpp"

namespace apsp::searches {

// T: uint16_t, int32_t, int64_t, float or double. Advances control by one per source. Amounts are added in
// the order of distance, so the sums are the same for any number of threads. Throws std::invalid_argument as
// dijkstra_rows.
template <class T>
void weigh_balls(const graph::Csr& graph, const T* weights, const std::int32_t* sources, std::int64_t count,
                 const reductions::Weighing<T>& weighing, QueueKind queue, int threads, Control& control);

}  // namespace apsp::searches
