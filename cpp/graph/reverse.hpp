// The reversed arcs of a graph: one counting sort by head. The tails of each vertex come in ascending order.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::graph {

// into_indptr (n + 1,), into_indices (m,) and, unless it is nullptr, into_values (m,) are written. values:
// (m,) a number of each arc, or nullptr for the number of the arc itself. O(n + m). Throws
// std::invalid_argument for arrays that are not a graph.
template <class Value>
void reverse(const Csr& graph, const Value* values, std::int64_t* into_indptr, std::int32_t* into_indices,
             Value* into_values, const Control& control);

}  // namespace apsp::graph
