// Potentials that make every arc non-negative, or a negative cycle.
// Johnson 1977, section 4; queue-based Bellman-Ford with a check of the parent graph: Cherkassky, Goldberg
// 1999, "Negative-cycle detection algorithms", section 4.2 (amortised search).
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/control.hpp"
#include "sparse/csr.hpp"

namespace apsp::sparse {

// height (n,): the shortest length from a vertex that has an arc of length 0 to every vertex; it is at most
// 0. reduced (m,): weights[a] + height[tail] - height[head], at least 0. Returns an empty vector, or the
// vertices of a simple negative cycle in order; height and reduced mean nothing then. Terminals are ignored.
// Throws std::overflow_error where a height or a reduced weight does not fit.
std::vector<std::int32_t> potentials(const Csr& graph, const std::int64_t* weights, std::int64_t* reduced,
                                     std::int64_t* height, Control& control);

// For floats all sums are exact: weights are converted to 128-bit integers, in units of 2^-93 of the power of
// two above the largest one (call it L). A cycle of k arcs is negative if its exact length is below -k *
// slack * L; reduced weights between that and 0 become 0. Heights are rounded.
std::vector<std::int32_t> potentials(const Csr& graph, const double* weights, double slack, double* reduced,
                                     double* height, Control& control);

}  // namespace apsp::sparse
