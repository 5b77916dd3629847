// Coarser and coarser graphs: Karypis and Kumar 1998 (heavy edge matching).
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/neighbours.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// A graph whose vertices stand for several of the original ones.
struct Weighted {
  std::vector<std::int64_t> start;  // (n + 1)
  std::vector<Vertex> other;
  std::vector<std::int32_t> edge;  // the number of original edges of each entry
  std::vector<std::int32_t> mass;  // (n) original vertices
  std::int64_t total = 0;          // of the masses

  Vertex n() const noexcept { return static_cast<Vertex>(mass.size()); }
};

struct Level {
  Weighted graph;
  std::vector<Vertex> above;  // (n) the vertex of the next level that contains each vertex; empty in the last
};
using Levels = std::vector<Level>;

constexpr Vertex kCoarsest = 80;  // vertices of a graph that is coarse enough

// Adds levels, in which pairs of neighbours are one vertex, until the last is coarse enough or does not
// shrink.
void coarsen(Levels& levels, Team& team, const Control& control);

}  // namespace apsp::elimination
