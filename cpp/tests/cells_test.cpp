// The nearest of some seeds against plain rows from every seed.
#include "searches/cells.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "semiring/length.hpp"
#include "tests/check.hpp"
#include "tests/small_graph.hpp"

namespace {

using namespace apsp;
using tests::kNone;
using tests::SmallGraph;

// The vertices before v lead to its seed, through no zone, and their arcs have the length.
template <class T>
void check_path(const SmallGraph& graph, std::int32_t v, std::int32_t seed, T length,
                const std::vector<std::int32_t>& before) {
  CHECK(seed >= 0 || before[static_cast<std::size_t>(v)] == -1);
  if (seed < 0) return;
  std::int64_t sum = 0;
  for (std::int64_t steps = 0; v != seed; ++steps) {
    CHECK(steps < graph.n);
    const std::int32_t u = before[static_cast<std::size_t>(v)];
    CHECK(u >= 0 && (u == seed || graph.zones.empty() || !graph.zones[static_cast<std::size_t>(u)]));
    std::int64_t arc = kNone;
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a)
      if (graph.indices[a] == v) arc = std::min<std::int64_t>(arc, graph.weights[a]);
    CHECK(arc != kNone);
    sum += arc;
    v = u;
  }
  CHECK(static_cast<T>(sum) == length);
}

template <class T>
void check(const SmallGraph& graph, const std::vector<std::int32_t>& seeds, std::int64_t k, T cutoff) {
  const std::vector<T> weights(graph.weights.begin(), graph.weights.end());
  std::vector<std::int32_t> nearest(static_cast<std::size_t>(graph.n * k), 7);
  std::vector<T> lengths(nearest.size(), T{7});
  Control control;
  std::vector<std::int32_t> before(static_cast<std::size_t>(graph.n), 7);
  searches::nearest_seeds<T>(graph.csr(), weights.data(), seeds.data(),
                             static_cast<std::int64_t>(seeds.size()), k, cutoff, nearest.data(),
                             lengths.data(), k == 1 ? before.data() : nullptr, control);
  std::vector<std::vector<std::pair<std::int64_t, std::int32_t>>> wanted(static_cast<std::size_t>(graph.n));
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const auto row = graph.row(seeds[i]);
    for (std::size_t v = 0; v < row.size(); ++v)
      if (row[v] != kNone && (cutoff == semiring::kNoPath<T> || row[v] <= static_cast<std::int64_t>(cutoff)))
        wanted[v].emplace_back(row[v], static_cast<std::int32_t>(i));
  }
  for (std::size_t v = 0; v < wanted.size(); ++v) {
    std::sort(wanted[v].begin(), wanted[v].end());
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
      const std::size_t at = v * static_cast<std::size_t>(k) + i;
      const bool there = i < wanted[v].size();
      CHECK(nearest[at] == (there ? seeds[static_cast<std::size_t>(wanted[v][i].second)] : -1));
      CHECK(lengths[at] == (there ? static_cast<T>(wanted[v][i].first) : semiring::kNoPath<T>));
    }
    if (k == 1) check_path<T>(graph, static_cast<std::int32_t>(v), nearest[v], lengths[v], before);
  }
}

template <class T>
void check_all(std::mt19937_64& random, const SmallGraph& graph) {
  std::vector<std::int32_t> seeds;  // some twice
  const std::uint64_t count = random() % 12;
  for (std::uint64_t i = 0; i < count; ++i)
    seeds.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(graph.n)));
  for (const std::int64_t k : {1, 2, 5})
    for (const T cutoff : {semiring::kNoPath<T>, T{60}, T{0}}) check<T>(graph, seeds, k, cutoff);
}

// Buckets are one unit wide, or wider, and some arcs reach beyond all of them. Sums of floats stay exact.
enum class Lengths { kShort, kNotZero, kLong, kVaried };

SmallGraph with_lengths(std::mt19937_64& random, SmallGraph graph, Lengths lengths) {
  for (std::int32_t& weight : graph.weights) {
    if (lengths == Lengths::kNotZero) ++weight;
    if (lengths == Lengths::kLong) weight = static_cast<std::int32_t>(random() % 100'000);
    if (lengths == Lengths::kVaried && random() % 40 == 0)
      weight = static_cast<std::int32_t>(random() % 1'000'000);
  }
  return graph;
}

void check_wrong_weights() {
  const SmallGraph graph{2, {0, 1, 2}, {1, 0}, {3, -1}, {}};
  const std::vector<double> weights{3, -1};
  const std::vector<std::int32_t> seeds{0};
  std::vector<std::int32_t> nearest(2);
  std::vector<double> lengths(2);
  Control control;
  std::string said;
  try {
    searches::nearest_seeds<double>(graph.csr(), weights.data(), seeds.data(), 1, 1, 9, nearest.data(),
                                    lengths.data(), nullptr, control);
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  CHECK(said == "arc 1 is shorter than zero or not a number");
}

}  // namespace

int main() {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<std::int64_t>(1 + random() % 80);
    const auto reach = static_cast<std::int64_t>(1 + random() % 30);
    const SmallGraph graph =
        tests::small_graph(random, n, reach, static_cast<int>(random() % 4), round % 3 == 1);
    check_all<std::uint16_t>(random, graph);
    for (const Lengths lengths : {Lengths::kShort, Lengths::kNotZero, Lengths::kLong, Lengths::kVaried}) {
      const SmallGraph other = with_lengths(random, graph, lengths);
      check_all<std::int32_t>(random, other);
      check_all<std::int64_t>(random, other);
      check_all<float>(random, other);
      check_all<double>(random, other);
    }
  }
  check_wrong_weights();
  return 0;
}
