// Nested dissection: George 1973. A separator is eliminated last, and each side of it is ordered in the same
// way, so that no path joins the sides before the separator is eliminated.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/neighbours.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// What is done for short separators.
struct Effort {
  std::int64_t reach = 10;  // vertices of either side, per vertex of the separator, among which a shorter is
                            // sought; 0: none is sought
  int splits = 1;           // of each part, of which the best one counts
  bool coarse = true;       // one is sought among contracted vertices, too, all over a large part
};
constexpr Effort kQuick{0, 1, false}, kBest{std::int64_t{1} << 30, 3, false};

// The order of elimination. Parts without a small separator keep their order, since they become dense anyway.
// Returns nothing if a separator, or a third of such a part, has more than `widest` vertices. Advances
// control by one per vertex whose place is known.
std::vector<Vertex> dissect(const Neighbours& graph, std::int64_t widest, const Effort& effort, Team& team,
                            Control& control);

// Peeling, then dissection of the core: the order of all vertices, or nothing (of a graph that has some) as
// above.
std::vector<Vertex> elimination_order(Neighbours graph, std::int64_t widest, const Effort& effort, Team& team,
                                      Control& control);

}  // namespace apsp::elimination
