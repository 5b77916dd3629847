// The factors of a graph for several periods at once: the lanes of a vector are periods, so that what does
// not depend on the weights (the fronts, the rows of a child in its parent, the loops over small fronts) is
// done once for all of them. Customisation of several weights in lanes: Dibbelt, Strasser and Wagner 2016,
// "Customizable contraction hierarchies", section 7.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/tree.hpp"
#include "graph/weighted_arcs.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// Row p of `values`, `stride` apart, becomes what factorise writes for the weights of periods[p]: the same
// arcs with other weights, none of which is negative. For integers. Advances control as
// factorise, and throws std::invalid_argument as that.
template <class T>
void factorise_periods(const TreeView& tree, const std::vector<graph::WeightedArcs>& periods,
                       const bool* zones, T* values, std::int64_t stride, Team& team, Control& control);

}  // namespace apsp::elimination
