// The nearest of some seeds against plain rows from every seed.
#include "searches/cells.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "semiring/length.hpp"
#include "tests/check.hpp"
#include "tests/small_graph.hpp"

namespace {

using namespace apsp;
using tests::kNone;
using tests::SmallGraph;

template <class T>
void check(const SmallGraph& graph, const std::vector<std::int32_t>& seeds, std::int64_t k, T cutoff) {
  const std::vector<T> weights(graph.weights.begin(), graph.weights.end());
  std::vector<std::int32_t> nearest(static_cast<std::size_t>(graph.n * k), 7);
  std::vector<T> lengths(nearest.size(), T{7});
  Control control;
  searches::nearest_seeds<T>(graph.csr(), weights.data(), seeds.data(),
                             static_cast<std::int64_t>(seeds.size()), k, cutoff, nearest.data(),
                             lengths.data(), control);
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
      CHECK(nearest[at] == (there ? wanted[v][i].second : -1));
      CHECK(lengths[at] == (there ? static_cast<T>(wanted[v][i].first) : semiring::kNoPath<T>));
    }
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

}  // namespace

int main() {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<std::int64_t>(1 + random() % 80);
    const auto reach = static_cast<std::int64_t>(1 + random() % 30);
    const SmallGraph graph =
        tests::small_graph(random, n, reach, static_cast<int>(random() % 4), round % 3 == 1);
    check_all<std::uint16_t>(random, graph);
    check_all<std::int32_t>(random, graph);
    check_all<std::int64_t>(random, graph);
    check_all<float>(random, graph);
    check_all<double>(random, graph);
  }
  return 0;
}
