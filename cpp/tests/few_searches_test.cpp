// Searches from a few vertices, and what they exclude, against all rows on small random graphs.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "reductions/far_pairs.hpp"
#include "searches/cut.hpp"
#include "searches/levels.hpp"
#include "semiring/length.hpp"
#include "tests/check.hpp"

namespace {

using namespace apsp;

constexpr std::int32_t kNone = semiring::kNoPath<std::int32_t>;

struct Sample {
  std::int64_t n;
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices{};

  graph::Csr csr() const {
    return {n, indptr.data(), indices.data(), static_cast<std::int64_t>(indices.size())};
  }
};

Sample from_matrix(const std::vector<std::vector<bool>>& arcs, bool reversed) {
  Sample sample{static_cast<std::int64_t>(arcs.size())};
  for (std::int64_t u = 0; u < sample.n; ++u) {
    for (std::int64_t v = 0; v < sample.n; ++v)
      if (reversed ? arcs[v][u] : arcs[u][v]) sample.indices.push_back(static_cast<std::int32_t>(v));
    sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
  }
  return sample;
}

// All distances, by relaxation until nothing changes.
std::vector<std::int32_t> closure(const std::vector<std::vector<bool>>& arcs) {
  const std::size_t n = arcs.size();
  std::vector<std::int32_t> dist(n * n, kNone);
  for (std::size_t u = 0; u < n; ++u)
    for (std::size_t v = 0; v < n; ++v)
      if (u == v || arcs[u][v]) dist[u * n + v] = u == v ? 0 : 1;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v)
        if (dist[u * n + k] != kNone && dist[k * n + v] != kNone)
          dist[u * n + v] = std::min(dist[u * n + v], dist[u * n + k] + dist[k * n + v]);
  return dist;
}

void check_levels(const Sample& out, const Sample& into, const std::vector<std::int32_t>& truth) {
  std::vector<std::int32_t> sources, dist(truth.size(), -7);
  for (std::int32_t v = 0; v < out.n; ++v) sources.push_back(v);
  std::vector<std::int32_t> farthest(sources.size(), -7);
  Control control;
  const searches::KeptLevels levels(out.csr(), into.csr());
  levels.rows({.sources = sources.data(),
               .count = out.n,
               .columns = out.n,
               .dist = dist.data(),
               .dist_stride = out.n},
              2, control);
  CHECK(dist == truth);
  levels.farthest(sources.data(), out.n, farthest.data(), 2, control);
  for (std::int64_t v = 0; v < out.n; ++v) {
    std::int32_t most = 0;
    for (std::int64_t t = 0; t < out.n; ++t)
      if (truth[v * out.n + t] != kNone) most = std::max(most, truth[v * out.n + t]);
    CHECK(farthest[v] == most);
  }
}

// The k largest closeness centralities without the factor of Wasserman and Faust.
void check_cut(const Sample& graph, bool undirected, const std::vector<std::int32_t>& truth, std::int64_t k) {
  const std::int64_t n = graph.n;
  std::vector<std::int64_t> fewest(n, 1), most(n, n), reached(n), total(n);
  std::vector<double> bounds(n), reciprocals(n), every(n), found;
  std::vector<std::int32_t> sources;
  for (std::int64_t v = 0; v < n; ++v) {
    sources.push_back(static_cast<std::int32_t>(v));
    std::int64_t others = 0, sum = 0;
    for (std::int64_t t = 0; t < n; ++t)
      if (t != v && truth[v * n + t] != kNone) ++others, sum += truth[v * n + t];
    every[v] = sum > 0 ? static_cast<double>(others) / static_cast<double>(sum) : 0;
    if (undirected) fewest[v] = most[v] = others + 1;
  }
  Control control;
  const searches::CutSearches cut(graph.csr(), undirected, {fewest.data(), most.data()},
                                  searches::Centrality::kCloseness);
  cut.bound(bounds.data(), 2, control);
  for (std::int64_t v = 0; v < n; ++v) CHECK(bounds[v] >= every[v] * (1 - 1e-12));
  const searches::Found numbers{reached.data(), total.data(), reciprocals.data()};
  const auto spent =
      cut.search(sources.data(), n, bounds.data(), {}, k, std::int64_t{1} << 40, numbers, 2, control);
  CHECK(spent.searches <= n);
  for (std::int64_t v = 0; v < n; ++v)
    if (reached[v] > 1) found.push_back(static_cast<double>(reached[v] - 1) / static_cast<double>(total[v]));
  std::sort(every.begin(), every.end(), std::greater<>());
  std::sort(found.begin(), found.end(), std::greater<>());
  for (std::int64_t i = 0; i < std::min(k, n); ++i)
    CHECK(every[i] == (i < static_cast<std::int64_t>(found.size()) ? found[i] : 0));
}

// Bounds over every third vertex, of vertices that reach each other.
void check_pairs(const std::vector<std::int32_t>& truth, std::int64_t n) {
  if (n < 3 || std::count(truth.begin(), truth.end(), kNone) > 0) return;
  const std::int64_t hubs = (n + 2) / 3;
  std::vector<std::int32_t> into, out, order;
  for (std::int32_t v = 0; v < n; ++v) order.push_back(v);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return truth[a] > truth[b]; });
  for (std::int64_t v = 0; v < n; ++v)
    for (std::int64_t u = 0; u < n; u += 3) {
      into.push_back(truth[v * n + u]);
      out.push_back(truth[u * n + order[v]]);
    }
  for (std::int32_t limit = 0; limit < 9; ++limit) {
    std::vector<std::uint8_t> may(n, 7);
    Control control;
    reductions::may_be_farther<std::int32_t>({into.data(), n}, {out.data(), n}, hubs, limit, may.data(), 2,
                                             control);
    for (std::int64_t v = 0; v < n; ++v) {
      std::int32_t largest = 0;
      for (std::int64_t t = 0; t < n; ++t) {
        std::int32_t least = kNone;
        for (std::int64_t u = 0; u < n; u += 3) least = std::min(least, truth[v * n + u] + truth[u * n + t]);
        largest = std::max(largest, least);
      }
      CHECK((may[v] != 0) == (largest > limit));
    }
  }
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  for (int round = 0; round < 80; ++round) {
    const std::size_t n = random() % 60;
    const bool undirected = round % 2 == 0;
    const std::uint64_t arcs_per_vertex = 1 + random() % 4;
    std::vector<std::vector<bool>> arcs(n, std::vector<bool>(n));
    for (std::size_t i = 0; i < n * arcs_per_vertex; ++i) {
      const std::size_t u = random() % n, v = random() % n;
      arcs[u][v] = true;
      if (undirected) arcs[v][u] = true;
    }
    const Sample out = from_matrix(arcs, false), into = from_matrix(arcs, true);
    const std::vector<std::int32_t> truth = closure(arcs);
    check_levels(out, undirected ? out : into, truth);
    check_cut(out, undirected, truth, 1 + static_cast<std::int64_t>(random() % 5));
    check_pairs(truth, static_cast<std::int64_t>(n));
  }
}
