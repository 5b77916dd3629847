// Lightest separators by flow against all sets of vertices of small graphs; splits that stay splits; and that
// the best order of streets is better than the fast one.
#include "elimination/separator.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "elimination/dissection.hpp"
#include "elimination/flow.hpp"
#include "elimination/tree.hpp"
#include "tests/check.hpp"

namespace {

using namespace apsp;
using namespace apsp::elimination;

using Adjacent = std::vector<std::vector<bool>>;

Adjacent random_graph(std::mt19937_64& random, std::size_t n, std::uint64_t sparse) {
  Adjacent adjacent(n, std::vector<bool>(n));
  for (std::size_t v = 0; v < n; ++v)
    for (std::size_t u = 0; u < v; ++u) adjacent[v][u] = adjacent[u][v] = random() % sparse == 0;
  return adjacent;
}

// The rows of a graph, Between or Weighted.
template <class Graph>
Graph rows_of(const Adjacent& adjacent) {
  Graph graph;
  graph.start.push_back(0);
  for (const std::vector<bool>& row : adjacent) {
    for (std::size_t u = 0; u < row.size(); ++u)
      if (row[u]) graph.other.push_back(static_cast<Vertex>(u));
    graph.start.push_back(static_cast<std::int64_t>(graph.other.size()));
  }
  return graph;
}

// Whether a path leads from the source to the sink around the vertices of a set of bits.
bool joined(const Between& graph, std::uint32_t without) {
  std::uint32_t seen = 0;
  for (Vertex v = 0; v < graph.k(); ++v)
    if (graph.at_source[v] && !(without >> v & 1)) seen |= 1u << v;
  for (std::uint32_t now = seen, before = 0; now != before;) {
    before = now;
    for (Vertex v = 0; v < graph.k(); ++v)
      for (std::int64_t at = graph.start[v]; (before >> v & 1) && at < graph.start[v + 1]; ++at)
        if (!(without >> graph.other[at] & 1)) now |= 1u << graph.other[at];
    seen = now;
  }
  for (Vertex v = 0; v < graph.k(); ++v)
    if ((seen >> v & 1) && graph.at_sink[v]) return true;
  return false;
}

std::int64_t lightest(const Between& graph, const std::vector<std::int64_t>& mass) {
  std::int64_t least = std::accumulate(mass.begin(), mass.end(), std::int64_t{0});
  for (std::uint32_t set = 0; set < 1u << graph.k(); ++set) {
    std::int64_t here = 0;
    for (Vertex v = 0; v < graph.k(); ++v) here += (set >> v & 1) ? mass[v] : 0;
    if (here < least && !joined(graph, set)) least = here;
  }
  return least;
}

// A set of vertices of this mass, and no arc from side 0 to side 1, nor from the source to side 1 or side 0
// to the sink.
void check_sides(const Between& graph, const std::vector<std::uint8_t>& side,
                 const std::vector<std::int64_t>& mass, std::int64_t size) {
  std::int64_t sum = 0;
  for (Vertex v = 0; v < graph.k(); ++v) {
    sum += side[v] == kSeparator ? mass[v] : 0;
    if (graph.at_source[v]) CHECK(side[v] != 1);
    if (graph.at_sink[v]) CHECK(side[v] != 0);
    for (std::int64_t at = graph.start[v]; at < graph.start[v + 1]; ++at)
      CHECK(side[v] == kSeparator || side[graph.other[at]] == kSeparator || side[v] == side[graph.other[at]]);
  }
  CHECK(sum == size);
}

void check_flow(std::mt19937_64& random) {
  const std::size_t k = 1 + random() % 10;
  Between graph = rows_of<Between>(random_graph(random, k, 2 + random() % 4));
  for (std::size_t v = 0; v < k; ++v) {
    graph.at_source.push_back(random() % 3 == 0);
    graph.at_sink.push_back(random() % 3 == 0);
  }
  Control control;
  std::vector<std::int64_t> mass(k, 1);
  for (const bool weighted : {false, true}) {
    if (weighted)
      for (std::int64_t& each : mass) each = 1 + static_cast<std::int64_t>(random() % 5);
    const Cuts found = weighted ? lightest_cuts(graph, mass, control) : smallest_cuts(graph, control);
    CHECK(found.mass == lightest(graph, mass));
    check_sides(graph, found.nearest_source, mass, found.mass);
    check_sides(graph, found.nearest_sink, mass, found.mass);
  }
}

// A grid of streets, of which a third is missing.
Neighbours streets(Vertex side) {
  std::mt19937_64 random(7);
  std::vector<std::vector<Vertex>> rows(static_cast<std::size_t>(side) * side);
  const auto join = [&](Vertex v, Vertex u) {
    if (random() % 3 == 0) return;
    rows[v].push_back(u);
    rows[u].push_back(v);
  };
  for (Vertex v = 0; v < side * side; ++v) {
    if (v % side < side - 1) join(v, v + 1);
    if (v < side * (side - 1)) join(v, v + side);
  }
  Neighbours graph;
  graph.n = static_cast<std::int64_t>(rows.size());
  graph.start.push_back(0);
  for (std::vector<Vertex>& row : rows) {
    std::sort(row.begin(), row.end());
    graph.other.insert(graph.other.end(), row.begin(), row.end());
    graph.start.push_back(static_cast<std::int64_t>(graph.other.size()));
  }
  return graph;
}

// From any split of a random graph in which no arc joins the sides.
void check_shorten(std::mt19937_64& random) {
  const std::size_t n = 2 + random() % 60;
  const Adjacent adjacent = random_graph(random, n, 3 + random() % 20);
  Weighted graph = rows_of<Weighted>(adjacent);
  graph.edge.assign(graph.other.size(), 1);
  graph.mass.assign(n, 1);
  const bool contracted = random() % 2 == 0;
  if (contracted)
    for (std::int32_t& mass : graph.mass) mass = 1 + static_cast<std::int32_t>(random() % 9);
  graph.total = std::accumulate(graph.mass.begin(), graph.mass.end(), std::int64_t{0});
  Split split{std::vector<std::uint8_t>(n), {}};
  for (std::uint8_t& side : split.side) side = random() % 2;
  for (std::size_t v = 0; v < n; ++v)
    for (std::size_t u = 0; u < n; ++u)
      if (adjacent[v][u] && split.side[v] == 0 && split.side[u] == 1) split.side[v] = kSeparator;
  for (std::size_t v = 0; v < n; ++v) split.mass[split.side[v]] += graph.mass[v];
  const Split before = split;
  Control control;
  if (contracted)
    lighten(graph, split, control);
  else
    shorten(graph, split, 1 + static_cast<std::int64_t>(random() % 40), control);
  CHECK(split.mass[kSeparator] <= before.mass[kSeparator]);
  CHECK(std::max(split.mass[0], split.mass[1]) <=
        std::max({most_mass(graph), before.mass[0], before.mass[1]}));
  std::array<std::int64_t, 3> mass{};
  for (std::size_t v = 0; v < n; ++v) {
    mass[split.side[v]] += graph.mass[v];
    for (std::size_t u = 0; u < n; ++u) CHECK(!(adjacent[v][u] && split.side[v] == 0 && split.side[u] == 1));
  }
  CHECK(mass == split.mass);
}

void check_orders() {
  const Neighbours graph = streets(100);
  Control control;
  std::int64_t entries[2];
  for (int best = 0; best < 2; ++best) {
    std::vector<Vertex> orders[2];
    for (int threads = 1; threads <= 2; ++threads) {
      Team team(threads);
      orders[threads - 1] = elimination_order(graph, INT64_MAX, best ? kBest : Effort{}, team, control);
    }
    CHECK(orders[0] == orders[1]);
    entries[best] = eliminate(graph, std::move(orders[0]), INT64_MAX, control).view().entries();
  }
  CHECK(entries[1] < entries[0]);
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) check_flow(random);
  for (int round = 0; round < 1000; ++round) check_shorten(random);
  check_orders();
}
