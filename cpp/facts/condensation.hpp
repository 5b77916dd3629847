// The longest chain through the components of a graph: a bound on every path.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"

namespace apsp::facts {

// labels (n,): the component of each vertex, 0 .. count - 1; every cycle of the graph lies in one component.
// inner (count,): a bound on the length of any path inside each component. weights (m,), at least 0.
// Returns a bound on the length of every path that runs through components one after the other: the longest
// path in the condensation, where the cost of a component is its inner bound, and that of a step from one to
// the next the longest arc between them. Sums stop at the largest value of T. T: int64_t or double. Throws
// std::invalid_argument for labels out of range, or if a cycle leaves its component.
template <class T>
T longest_chain(const graph::Csr& graph, const T* weights, const std::int32_t* labels, std::int64_t count,
                const T* inner);

}  // namespace apsp::facts
