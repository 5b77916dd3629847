// How deep a graph is: the number of arcs of the longest of the paths with fewest arcs, about, by two
// searches. Magnien, Latapy, Habib 2009, "Fast computation of empirically tight bounds for the diameter of
// massive graphs", section 3.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::facts {

struct Depth {
  std::int64_t arcs = 0;  // at most the diameter in arcs
  double reached = 1;     // share of the arcs that leave the vertices a search reached, the smaller of both
};

// The first search starts at the vertex with most arcs out, the second at a vertex farthest from it (the
// first ones of several). O(n + m). Throws std::invalid_argument for arrays that are not a graph.
Depth depth(const graph::Csr& graph, const Control& control);

}  // namespace apsp::facts
