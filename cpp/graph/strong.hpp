// Strongly connected components: Tarjan 1972, section 4, without recursion.
#pragma once
#include <cstdint>

#include "runtime/control.hpp"

namespace apsp::graph {

// labels (n): the component of each vertex, numbered in reverse topological order: every arc leads to the
// same or a lower component, sinks come first. Returns the number of components. Cost: O(n + m), 24 n
// bytes.
std::int64_t strong(std::int64_t n, const std::int64_t* indptr, const std::int32_t* indices,
                    std::int32_t* labels, const Control& control);

}  // namespace apsp::graph
