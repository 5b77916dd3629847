#include "elimination/separator.hpp"

#include <algorithm>
#include <utility>

namespace apsp::elimination {
namespace {

constexpr Vertex kLarge = 6000,
                 kFlow = 2000;   // vertices of a large graph; the most of the level that is lightened
constexpr Vertex kGrown = 1000;  // largest graph that is split by growing, in time n^2

// A level is contracted again if more than this share of its vertices would be left: a wide separator has
// split too many pairs.
constexpr double kStale = 0.6;

// Grids have separators of the square root of the vertices, and their halves of 0.7 times as many.
bool is_shorter_than_in_grids(const Split& split) {
  const auto separator = std::count(split.side.begin(), split.side.end(), kSeparator);
  return 5 * separator * separator <= 2 * static_cast<std::int64_t>(split.side.size());
}

// The vertices of one level that have mass left, in new numbers; -1 of others.
std::vector<Vertex> numbers(const std::vector<std::int32_t>& mass, Weighted& kept) {
  std::vector<Vertex> number(mass.size());
  Vertex next = 0;
  for (std::size_t v = 0; v < mass.size(); ++v) {
    number[v] = mass[v] > 0 ? next++ : -1;
    kept.total += mass[v];
  }
  kept.mass.reserve(static_cast<std::size_t>(next));
  for (const std::int32_t here : mass)
    if (here > 0) kept.mass.push_back(here);
  return number;
}

void copy_rows(const Weighted& whole, const std::vector<Vertex>& number, Weighted& kept) {
  std::int64_t most = 0, count = 0;
  for (Vertex v = 0; v < whole.n(); ++v)
    if (number[v] >= 0) most += whole.start[v + 1] - whole.start[v];
  kept.start.reserve(kept.mass.size() + 1);
  kept.start.push_back(0);
  kept.other.resize(static_cast<std::size_t>(most));
  kept.edge.resize(static_cast<std::size_t>(most));
  for (Vertex v = 0; v < whole.n(); ++v) {
    if (number[v] < 0) continue;
    for (std::int64_t at = whole.start[v]; at < whole.start[v + 1]; ++at) {
      const Vertex u = number[whole.other[at]];
      if (u < 0) continue;
      kept.other[count] = u;
      kept.edge[count++] = whole.edge[at];
    }
    kept.start.push_back(count);
  }
  kept.other.resize(static_cast<std::size_t>(count));
  kept.edge.resize(static_cast<std::size_t>(count));
}

}  // namespace

Split separate(const Levels& levels, std::uint32_t seed, bool by_flow, const Control& control) {
  const Weighted& coarsest = levels.back().graph;
  Split split;
  if (coarsest.n() > kGrown) {  // with hubs it does not shrink, and has no small separator
    split = {std::vector<std::uint8_t>(coarsest.mass.size(), kSeparator), {0, 0, coarsest.total}};
  } else {
    split = grow_split(coarsest, seed, control);
  }
  for (std::size_t k = levels.size() - 1; k-- > 0;) {
    std::vector<std::uint8_t> side(levels[k].above.size());
    for (std::size_t v = 0; v < side.size(); ++v) side[v] = split.side[levels[k].above[v]];
    split.side.swap(side);
    refine(levels[k].graph, split, control);
    if (by_flow && levels[0].graph.n() > kLarge && levels[k].graph.n() <= kFlow &&
        levels[k - 1].graph.n() > kFlow && is_shorter_than_in_grids(split))
      lighten(levels[k].graph, split, control);
  }
  return split;
}

Levels side_of(const Levels& whole, const Split& split, std::uint8_t side) {
  Levels part(1);
  std::vector<std::int32_t> mass(split.side.size());
  for (std::size_t v = 0; v < mass.size(); ++v) mass[v] = split.side[v] == side ? whole[0].graph.mass[v] : 0;
  std::vector<Vertex> number = numbers(mass, part[0].graph);
  for (std::size_t k = 0;; ++k) {
    copy_rows(whole[k].graph, number, part[k].graph);
    if (k + 1 == whole.size() || part[k].graph.n() <= kCoarsest) return part;
    const std::vector<Vertex>& above = whole[k].above;
    std::vector<std::int32_t> mass_above(whole[k + 1].graph.mass.size(), 0);
    for (std::size_t v = 0; v < mass.size(); ++v) mass_above[above[v]] += mass[v];
    Level next;
    std::vector<Vertex> number_above = numbers(mass_above, next.graph);
    if (next.graph.n() > kStale * part[k].graph.n()) return part;
    part.push_back(std::move(next));
    part[k].above.reserve(part[k].graph.mass.size());
    for (std::size_t v = 0; v < mass.size(); ++v)
      if (number[v] >= 0) part[k].above.push_back(number_above[above[v]]);
    mass.swap(mass_above);
    number.swap(number_above);
  }
}

}  // namespace apsp::elimination
