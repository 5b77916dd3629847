#include "elimination/separator.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace apsp::elimination {
namespace {

constexpr Vertex kSmall = 80;      // vertices of the coarsest graph
constexpr Vertex kGrown = 1000;    // most vertices of a graph that is split by growing, in time n^2
constexpr int kTries = 7;          // first splits, of which the best is refined on
constexpr double kShrinks = 0.95;  // contracting goes on while it leaves at most this share

// The heaviest edge to a vertex that is free yet; the lighter vertex among equals.
Vertex partner(const Weighted& graph, Vertex v, const std::vector<Vertex>& map, std::int64_t heaviest) {
  Vertex best = v;
  std::int32_t weight = 0, mass = 0;
  for (std::int64_t at = graph.start[v]; at < graph.start[v + 1]; ++at) {
    const Vertex u = graph.other[at];
    if (map[u] >= 0 || graph.mass[u] + graph.mass[v] > heaviest) continue;
    if (graph.edge[at] > weight || (graph.edge[at] == weight && graph.mass[u] < mass)) {
      best = u;
      weight = graph.edge[at];
      mass = graph.mass[u];
    }
  }
  return best;
}

// All vertices in a random order, always the same: visited in the order of a grid, they would pair off along
// its rows, and separators would not be free to turn.
std::vector<Vertex> shuffled(Vertex n) {
  std::vector<Vertex> order(n);
  std::iota(order.begin(), order.end(), Vertex{0});
  std::minstd_rand random(n);
  for (Vertex v = n - 1; v > 0; --v) std::swap(order[v], order[random() % static_cast<unsigned>(v + 1)]);
  return order;
}

// Where the rows of a contracted graph are written: `place` says where a row has a vertex already.
struct Rows {
  Vertex* other;
  std::int32_t* edge;
  std::vector<std::int64_t> place;
  std::int64_t count = 0;
};

// The sum of the rows of the vertices that became `number`.
void append_row(const Weighted& graph, const std::vector<Vertex>& map, Vertex number, const Vertex (&from)[2],
                Rows& rows) {
  const std::int64_t first = rows.count;
  for (int k = 0; k < (from[0] == from[1] ? 1 : 2); ++k) {
    for (std::int64_t at = graph.start[from[k]]; at < graph.start[from[k] + 1]; ++at) {
      const Vertex u = map[graph.other[at]];
      if (u == number) continue;
      if (rows.place[u] >= first) {
        rows.edge[rows.place[u]] += graph.edge[at];
      } else {
        rows.place[u] = rows.count;
        rows.other[rows.count] = u;
        rows.edge[rows.count++] = graph.edge[at];
      }
    }
  }
}

// Grows side 0 from a vertex, always by the one that leaves the least boundary, to half of the mass.
Split grow_from(const Weighted& graph, Vertex seed) {
  const Vertex n = graph.n();
  Split split;
  split.side.assign(n, 1);
  std::vector<std::int64_t> gain(n, 0);
  for (Vertex v = 0; v < n; ++v)
    for (std::int64_t at = graph.start[v]; at < graph.start[v + 1]; ++at) gain[v] -= graph.edge[at];
  std::vector<bool> reached(n);
  std::int64_t grown = 0;
  for (Vertex next = seed; next >= 0 && 2 * (grown + graph.mass[next]) <= graph.total + graph.mass[next];) {
    split.side[next] = 0;
    grown += graph.mass[next];
    for (std::int64_t at = graph.start[next]; at < graph.start[next + 1]; ++at) {
      gain[graph.other[at]] += 2 * graph.edge[at];
      reached[graph.other[at]] = true;
    }
    next = -1;
    for (Vertex v = 0; v < n; ++v) {
      if (split.side[v] == 0) continue;
      if (next < 0 || (reached[v] != reached[next] ? reached[v] : gain[v] > gain[next])) next = v;
    }
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

Weighted contract(const Weighted& graph, std::vector<Vertex>& map) {
  const Vertex n = graph.n();
  map.assign(n, -1);
  const std::int64_t heaviest = std::max<std::int64_t>(3 * graph.total / (2 * kSmall), 2);
  Weighted coarse;
  coarse.total = graph.total;
  std::vector<Vertex> first, second;
  for (const Vertex v : shuffled(n)) {
    if (map[v] >= 0) continue;
    const Vertex u = partner(graph, v, map, heaviest);
    map[v] = map[u] = static_cast<Vertex>(coarse.mass.size());
    coarse.mass.push_back(u == v ? graph.mass[v] : graph.mass[v] + graph.mass[u]);
    first.push_back(v);
    second.push_back(u);
  }
  coarse.other.resize(graph.other.size());
  coarse.edge.resize(graph.other.size());
  coarse.start.reserve(coarse.mass.size() + 1);
  coarse.start.push_back(0);
  Rows rows{coarse.other.data(), coarse.edge.data(), std::vector<std::int64_t>(coarse.mass.size(), -1)};
  for (Vertex c = 0; c < coarse.n(); ++c) {
    append_row(graph, map, c, {first[c], second[c]}, rows);
    coarse.start.push_back(rows.count);
  }
  coarse.other.resize(static_cast<std::size_t>(rows.count));
  coarse.edge.resize(static_cast<std::size_t>(rows.count));
  return coarse;
}

Split grow_split(const Weighted& graph) {
  std::minstd_rand random(graph.n());
  Split best;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    Split split = grow_from(graph, static_cast<Vertex>(random() % static_cast<unsigned>(graph.n())));
    cover_boundary(graph, split);
    refine(graph, split);
    if (attempt == 0 || better(graph, split, best)) best = std::move(split);
  }
  return best;
}

Split separate(const Weighted& graph) {
  std::vector<Vertex> map;
  if (graph.n() > kSmall) {
    const Weighted coarse = contract(graph, map);
    if (coarse.n() <= kShrinks * graph.n()) {
      const Split above = separate(coarse);
      Split split;
      split.mass = above.mass;
      split.side.resize(graph.n());
      for (Vertex v = 0; v < graph.n(); ++v) split.side[v] = above.side[map[v]];
      refine(graph, split);
      return split;
    }
  }
  if (graph.n() > kGrown) {  // hubs keep it from shrinking, and from having a small separator
    return {std::vector<std::uint8_t>(graph.n(), kSeparator), {0, 0, graph.total}};
  }
  return grow_split(graph);
}

}  // namespace apsp::elimination
