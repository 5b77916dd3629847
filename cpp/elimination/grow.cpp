// A first split: side 0 grows from a vertex, always by the one that leaves the smallest boundary, as in
// Karypis and Kumar 1998 (greedy graph growing).
#include <algorithm>
#include <random>
#include <utility>

#include "elimination/separator.hpp"

namespace apsp::elimination {
namespace {

constexpr int kTries = 7;  // first splits, of which the best is refined

// Grows side 0 to half of the mass. `gain` (n) begins as minus the weight of all edges of a vertex.
Split grow_from(const Weighted& graph, Vertex seed, std::vector<std::int64_t> gain) {
  const Vertex n = graph.n();
  Split split;
  split.side.assign(n, 1);
  std::vector<bool> reached(n);
  std::vector<Vertex> frontier;
  std::int64_t grown = 0;
  for (Vertex next = seed; next >= 0 && 2 * (grown + graph.mass[next]) <= graph.total + graph.mass[next];) {
    split.side[next] = 0;
    grown += graph.mass[next];
    reached[next] = true;
    for (std::int64_t at = graph.start[next]; at < graph.start[next + 1]; ++at) {
      const Vertex u = graph.other[at];
      gain[u] += 2 * graph.edge[at];
      if (reached[u]) continue;
      reached[u] = true;
      frontier.push_back(u);
    }
    std::erase(frontier, next);
    next = -1;
    for (const Vertex v : frontier)
      if (next < 0 || gain[v] > gain[next] || (gain[v] == gain[next] && v < next)) next = v;
    for (Vertex v = 0; next < 0 && v < n; ++v)
      if (split.side[v] == 1) next = v;  // of another component
  }
  return split;
}

// The vertices of the lighter of the two boundaries become the separator.
void cover_boundary(const Weighted& graph, Split& split) {
  std::array<std::int64_t, 2> boundary{};
  std::vector<bool> on(graph.n());
  for (Vertex v = 0; v < graph.n(); ++v) {
    for (std::int64_t at = graph.start[v]; at < graph.start[v + 1] && !on[v]; ++at)
      on[v] = split.side[graph.other[at]] != split.side[v];
    if (on[v]) boundary[split.side[v]] += graph.mass[v];
  }
  const std::uint8_t lighter = boundary[0] < boundary[1] ? 0 : 1;
  split.mass = {};
  for (Vertex v = 0; v < graph.n(); ++v) {
    if (on[v] && split.side[v] == lighter) split.side[v] = kSeparator;
    split.mass[split.side[v]] += graph.mass[v];
  }
}

bool better(const Weighted& graph, const Split& a, const Split& b) {
  const auto excess = [&](const Split& split) {
    return std::max<std::int64_t>(std::max(split.mass[0], split.mass[1]) - most_mass(graph), 0);
  };
  if (excess(a) != excess(b)) return excess(a) < excess(b);
  if (a.mass[2] != b.mass[2]) return a.mass[2] < b.mass[2];
  return std::max(a.mass[0], a.mass[1]) < std::max(b.mass[0], b.mass[1]);
}

}  // namespace

Split grow_split(const Weighted& graph, std::uint32_t seed, const Control& control) {
  std::vector<std::int64_t> alone(graph.n(), 0);
  for (Vertex v = 0; v < graph.n(); ++v)
    for (std::int64_t at = graph.start[v]; at < graph.start[v + 1]; ++at) alone[v] -= graph.edge[at];
  std::minstd_rand random(static_cast<std::uint32_t>(graph.n()) + 7919 * seed);
  Split best;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Split split = grow_from(graph, static_cast<Vertex>(random() % static_cast<unsigned>(graph.n())), alone);
    cover_boundary(graph, split);
    refine(graph, split, control);
    if (attempt == 0 || better(graph, split, best)) best = std::move(split);
  }
  return best;
}

}  // namespace apsp::elimination
