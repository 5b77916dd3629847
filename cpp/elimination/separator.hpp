// A vertex separator of a graph by the multilevel method: Hendrickson and Rothberg 1998, "Improving the run
// time and quality of nested dissection ordering"; Karypis and Kumar 1998. Match along heavy edges and
// contract until little is left, split that, and refine the separator (Fiduccia and Mattheyses 1982, moving
// vertices out of it) on every level on the way back.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "elimination/neighbours.hpp"

namespace apsp::elimination {

// A graph whose vertices stand for several of the original ones.
struct Weighted {
  std::vector<std::int64_t> start;  // (n + 1)
  std::vector<Vertex> other;
  std::vector<std::int32_t> edge;  // how many original edges each entry stands for
  std::vector<std::int32_t> mass;  // (n) original vertices
  std::int64_t total = 0;          // of the masses

  Vertex n() const noexcept { return static_cast<Vertex>(mass.size()); }
};

constexpr std::uint8_t kSeparator = 2;

struct Split {
  std::vector<std::uint8_t> side;  // (n) 0, 1 or kSeparator: no edge joins 0 and 1
  std::array<std::int64_t, 3> mass{};
};

// One level up: pairs of neighbours become one vertex; map[v] is where v went.
Weighted contract(const Weighted& graph, std::vector<Vertex>& map);

// A first split of a small graph.
Split grow_split(const Weighted& graph);

// Moves vertices out of the separator, and their neighbours into it, as long as it gets lighter.
void refine(const Weighted& graph, Split& split);

// The heavier side of a split may weigh that much.
inline std::int64_t most_mass(const Weighted& graph) { return graph.total * 3 / 5 + 1; }

// All of it.
Split separate(const Weighted& graph);

}  // namespace apsp::elimination
