// Pairs within a bound by one truncated search per source.
#pragma once
#include <memory>

#include "graph/csr.hpp"
#include "searches/near_rows.hpp"

namespace apsp::searches {

// T: uint16_t, int32_t, int64_t, float or double. The arcs are stored once for all calls. many: store
// neighbours close to each other, which takes about as long as half a search of the whole graph. Throws
// std::invalid_argument for arrays that are not a graph, and for a weight below zero or not-a-number. costs:
// (m, size) other costs of the arcs, of which none is below 0 on an arc of length 0.
template <class T>
std::unique_ptr<NearFinder<T>> near_searches(const graph::Csr& graph, const T* weights, bool many,
                                             const double* costs = nullptr, int size = 0);

}  // namespace apsp::searches
