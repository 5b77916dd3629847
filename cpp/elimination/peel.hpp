// Vertices with at most two neighbours, round by round: Miller and Reif 1985 (rake and compress). Trees and
// chains vanish in a logarithmic number of rounds, without fill: a vertex of degree two leaves one edge for
// two.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/neighbours.hpp"

namespace apsp::elimination {

struct Peeled {
  std::vector<Vertex> order;  // the peeled vertices; neighbours never go in the same round
  Neighbours core;            // what is left, each with three neighbours or more, renumbered
  std::vector<Vertex> names;  // (core.n) the original vertices
};

// O(n + m) apart from searches in the rows of neighbours.
Peeled peel(Neighbours graph);

}  // namespace apsp::elimination
