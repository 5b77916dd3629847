// Pairs within a bound by the sweeps of elimination that skip what is farther from every source of a batch.
#pragma once
#include <memory>

#include "elimination/rows.hpp"
#include "searches/near_rows.hpp"

namespace apsp::elimination {

// T: uint16_t or int32_t, which holds all distances; none is below 0. factored is borrowed; graph and weights
// are those of the factor, read for next hops and other costs. costs: (m, size) other costs of the arcs, of
// which none is below 0 on an arc of length 0.
template <class T>
std::unique_ptr<searches::NearFinder<T>> near_sweeps(const Factored<T>& factored, const graph::Csr& graph,
                                                     const T* weights, const double* costs = nullptr,
                                                     int size = 0);

}  // namespace apsp::elimination
