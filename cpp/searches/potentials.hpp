// Potentials that make every integer arc non-negative, or a negative cycle. Johnson 1977, section 4. For
// floats see signed_floats.hpp.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

// height (n,): the shortest length from a vertex that has an arc of length 0 to every vertex; it is at most
// 0. reduced (m,): weights[a] + height[tail] - height[head], at least 0. Returns an empty vector, or the
// vertices of a simple negative cycle in order; height and reduced are then undefined. Zones are ignored.
// Throws std::overflow_error if a height or a reduced weight does not fit.
std::vector<std::int32_t> potentials(const graph::Csr& graph, const std::int64_t* weights,
                                     std::int64_t* reduced, std::int64_t* height, Control& control);

}  // namespace apsp::searches
