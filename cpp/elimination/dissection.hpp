// Nested dissection: George 1973. A separator goes last, then each side of it is ordered in the same way, so
// that no path joins the sides before the separator goes.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/neighbours.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// The order in which the vertices go. Parts without a small separator keep their order: they fill up anyway.
// Where a separator, or a third of such a part, has more than `widest` vertices, returns nothing.
std::vector<Vertex> dissect(const Neighbours& graph, std::int64_t widest, Team& team, const Control& control);

// Peeling, then dissection of the core: the order of all vertices, or nothing (of a graph that has some) as
// above.
std::vector<Vertex> elimination_order(Neighbours graph, std::int64_t widest, Team& team,
                                      const Control& control);

}  // namespace apsp::elimination
