// A vertex separator of a graph by the multilevel method: Hendrickson and Rothberg 1998, "Improving the run
// time and quality of nested dissection ordering"; Karypis and Kumar 1998. Match along heavy edges and
// contract until the graph is small, split that, and refine the separator (Fiduccia and Mattheyses 1982,
// moving vertices out of it) on every level on the way back.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "elimination/coarsen.hpp"

namespace apsp::elimination {

constexpr std::uint8_t kSeparator = 2;

struct Split {
  std::vector<std::uint8_t> side;  // (n) 0, 1 or kSeparator: no edge joins 0 and 1
  std::array<std::int64_t, 3> mass{};
};

// A first split of a small graph, in time n^2; another one for another seed.
Split grow_split(const Weighted& graph, std::uint32_t seed, const Control& control);

// Moves vertices out of the separator, and their neighbours into it, as long as it gets lighter.
void refine(const Weighted& graph, Split& split, const Control& control);

// Replaces the separator of a graph whose vertices all have mass 1 by the smallest one near to it: among the
// `reach` vertices of either side per vertex of the separator that are nearest to it. For short separators
// only.
void shorten(const Weighted& graph, Split& split, std::int64_t reach, const Control& control);

// Replaces the separator of a contracted graph by the lightest one, wherever it is.
void lighten(const Weighted& graph, Split& split, const Control& control);

// The largest weight of the heavier side of a split.
inline std::int64_t most_mass(const Weighted& graph) { return graph.total * 7 / 10 + 1; }

// The whole method: splits the coarsest level, and refines the split down to the finest. by_flow: the
// separator of one coarse level of a large graph is lightened. It takes about as long as all else does; so it
// is left out where separators have as many vertices as those of grids, and are hardly ever much too heavy.
Split separate(const Levels& levels, std::uint32_t seed, bool by_flow, const Control& control);

// One side of a split of the finest level, on all levels: vertices that were contracted stay contracted,
// unless they were split.
Levels side_of(const Levels& whole, const Split& split, std::uint8_t side);

}  // namespace apsp::elimination
