// Vertices with at most two neighbours, round by round: Miller and Reif 1985 (rake and compress). Trees and
// chains are removed in a logarithmic number of rounds, without fill: a vertex of degree two is replaced by
// one edge for its two.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/neighbours.hpp"

namespace apsp::elimination {

struct Peeled {
  std::vector<Vertex> order;  // the removed vertices; neighbours are never removed in the same round
  Neighbours core;            // the remaining vertices, each with at least three neighbours, renumbered
  std::vector<Vertex> names;  // (core.n) the original vertices
};

// O(n + m) apart from searches in the rows of neighbours.
Peeled peel(Neighbours graph);

}  // namespace apsp::elimination
