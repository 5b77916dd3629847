// Elimination over (distance, number of paths): arcs between the places of an elimination tree, each of which
// stands for all shortest paths whose inner vertices come before both its ends. Only arcs that are shortest
// paths themselves remain, so that every shortest path of the graph is one walk that first rises and then
// falls.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/tree.hpp"
#include "graph/csr.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::flows {

struct CountedHalf {
  std::vector<std::int64_t> first, last;  // (n) the arcs of each place, by the later place
  std::vector<std::int32_t> other;
  std::vector<double> length, paths;

  // The arc of place u whose other end is v; -1 if there is none.
  std::int64_t find(std::int64_t u, std::int64_t v) const;
};

struct CountedArcs {
  CountedHalf up, down;  // to and from later places
  double largest = 0;    // number of paths
};

// weights: above zero, exact in float64 with all their sums. Memory: 16 bytes per entry of the tree.
CountedArcs counted_arcs(const elimination::TreeView& tree, const graph::Csr& graph, const double* weights,
                         const std::vector<std::int32_t>& place, Team& team, const Control& control);

// Passes the flow of each arc on to the two arcs that it was made of, and adds what passes each place. What
// remains along the arcs of the graph is their flow: flow per path, for arcs and for arcs of the graph.
void spread(const elimination::TreeView& tree, const CountedArcs& arcs, double* up, double* down,
            double* through, Team& team, const Control& control);

// After spread: the flow of every arc of the graph, 0 for those that are no shortest paths.
void write_along(const CountedArcs& arcs, const graph::Csr& graph, const double* weights,
                 const std::vector<std::int32_t>& place, const double* up, const double* down, double* along);

}  // namespace apsp::flows
