// The factor over tuples of costs that are added by component and compared in the order of the costs: as
// factor.hpp, with the first costs apart from the others.
#pragma once
#include <cstdint>

#include "elimination/tree.hpp"
#include "graph/csr.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// Costs of the arcs of a graph. First costs are not negative, and no cycle is below zero.
struct CostArcs {
  graph::Csr graph;
  const double* costs;  // (m, 1 + kinds)
  std::int64_t kinds;   // beside the first

  const double* of(std::int64_t arc) const { return costs + arc * (1 + kinds); }
};

// The entries of a factor in the layout of factor.hpp.
struct CostFactor {
  double* first;   // (tree.entries()), infinite without a path
  double* others;  // (tree.entries(), kinds), of no meaning without a path
  std::int64_t kinds;
};

// Writes the factor; arcs that leave zones are left out. Throws std::invalid_argument if an arc joins places
// that are not related in the tree.
void factorise_costs(const TreeView& tree, const CostArcs& arcs, const CostFactor& factor, Team& team,
                     Control& control);

}  // namespace apsp::elimination
