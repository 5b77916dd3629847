// Minimum degree on a small part of a graph: Tinney and Walker 1967, scheme 2. Neighbours outside the part,
// which are eliminated later, are counted.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/neighbours.hpp"

namespace apsp::elimination {

// Reorders `part` (distinct vertices of the graph): the vertex with the fewest remaining neighbours is
// eliminated first, and its neighbours become neighbours of each other. O(k^2 (k + halo) / 64) for k
// vertices. `number` (n) is scratch memory, -1 everywhere before and after.
void minimum_degree(const Neighbours& graph, std::vector<Vertex>& part, std::vector<Vertex>& number);

}  // namespace apsp::elimination
