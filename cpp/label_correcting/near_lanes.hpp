// Pairs within a bound by label correcting from many sources at once, one SIMD lane per source: sources that
// are near each other reach nearly the same vertices, which are then visited for all of them together.
// Okuyama, Ino, Hagihara 2010, section 4.
#pragma once
#include <memory>

#include "graph/csr.hpp"
#include "searches/near_rows.hpp"

namespace apsp::label_correcting {

// T: uint16_t, int32_t, int64_t, float or double. The arcs are stored once for all calls, about four times,
// and twice more for next hops; a call takes 144 bytes per vertex and thread. Of integers, a next hop is the
// first one in the order of the arcs of all that shortest paths have, unless distances need all 64 bits.
// Throws std::invalid_argument for arrays that are not a graph, and for a weight below zero or not-a-number.
// costs: (m, size) other costs of the arcs, of which none is below 0 on an arc of length 0.
template <class T>
std::unique_ptr<searches::NearFinder<T>> near_lanes(const graph::Csr& graph, const T* weights,
                                                    const double* costs = nullptr, int size = 0);

}  // namespace apsp::label_correcting
