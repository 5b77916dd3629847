// Flows of a demand by elimination and by searches, against a pass over all tight arcs of small random
// graphs; numbers of paths that only integers hold.
#include "flows/flows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "elimination/dissection.hpp"
#include "elimination/factor.hpp"
#include "elimination/tree.hpp"
#include "flows/counts.hpp"
#include "semiring/length.hpp"
#include "tests/check.hpp"

namespace {

using namespace apsp;

struct Sample {
  std::int64_t n;
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices{}, weights{};

  graph::WeightedArcs arcs() const {
    return {n, indptr.data(), indices.data(), weights.data(), graph::WeightType::kInt32};
  }
  graph::Csr csr() const {
    return {n, indptr.data(), indices.data(), static_cast<std::int64_t>(indices.size())};
  }
};

// parts: no arc leads from one to another; their vertices are mixed.
Sample random_graph(std::mt19937& random, std::int64_t n, std::int32_t longest, std::int64_t parts) {
  Sample sample{n};
  for (std::int64_t u = 0; u < sample.n; ++u) {
    for (std::int32_t v = 0; v < sample.n; ++v)
      if (u % parts == v % parts && random() % static_cast<unsigned>(sample.n / parts) < 4) {
        sample.indices.push_back(v);
        sample.weights.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(longest)) + 1);
      }
    sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
  }
  return sample;
}

// Diamonds in a row: 2^count paths from vertex 0 to the last one, and one more past them all.
Sample diamonds(std::int32_t count, bool with_detour) {
  Sample sample{3 * count + 2};
  const auto add = [&](std::int32_t head, std::int32_t weight) {
    sample.indices.push_back(head);
    sample.weights.push_back(weight);
  };
  for (std::int32_t k = 0; k < count; ++k) {
    add(3 * k + 1, 1);
    add(3 * k + 2, 1);
    if (k == 0 && with_detour) add(3 * count + 1, count);
    sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
    for (int side = 0; side < 2; ++side) {
      add(3 * k + 3, 1);
      sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
    }
  }
  sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
  if (with_detour) add(3 * count, count);
  sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
  return sample;
}

struct Found {
  explicit Found(const Sample& sample, std::int64_t sources)
      : through(sample.n), arrived(sample.n), served(sources), along(sample.indices.size()) {}
  flows::Flows out() { return {through.data(), arrived.data(), served.data(), along.data()}; }
  std::vector<double> through, arrived, served, along;
};

bool near(const std::vector<double>& one, const std::vector<double>& other) {
  for (std::size_t i = 0; i < one.size(); ++i)
    if (!(std::abs(one[i] - other[i]) <= 1e-9 * (1 + std::abs(other[i])))) return false;
  return one.size() == other.size();
}

bool near(const Found& one, const Found& other) {
  return near(one.through, other.through) && near(one.arrived, other.arrived) &&
         near(one.served, other.served) && near(one.along, other.along);
}

// By definition: distances by relaxation, numbers of paths and flows over the tight arcs.
void add_row(const Sample& sample, std::int64_t source, const std::vector<double>& to, double cutoff,
             bool first, double& served, Found& found) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<double> dist(sample.n, kNone), paths(sample.n, 0), onward(sample.n, 0);
  dist[source] = 0;
  const auto each = [&](auto&& visit) {
    for (std::int64_t u = 0; u < sample.n; ++u)
      for (std::int64_t a = sample.indptr[u]; a < sample.indptr[u + 1]; ++a)
        visit(u, sample.indices[a], a, dist[u] + sample.weights[a]);
  };
  for (std::int64_t round = 0; round < sample.n; ++round)
    each([&](std::int64_t, std::int32_t v, std::int64_t, double length) {
      if (length < dist[v]) dist[v] = length;
    });
  std::vector<std::vector<std::int64_t>> before(sample.n);  // arcs; the tails ascend
  std::vector<std::int64_t> tails(sample.indices.size());
  each([&](std::int64_t u, std::int32_t v, std::int64_t a, double length) {
    tails[a] = u;
    if (length < kNone && length == dist[v] && (!first || before[v].empty())) before[v].push_back(a);
  });
  std::vector<std::int32_t> order;
  for (std::int32_t v = 0; v < sample.n; ++v)
    if (dist[v] < kNone) order.push_back(v);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return dist[a] < dist[b]; });
  paths[source] = 1;
  for (const std::int32_t v : order)
    for (const std::int64_t a : before[v]) paths[v] += paths[tails[a]];
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    if (*v == source) continue;
    const double ends = dist[*v] <= cutoff ? to[*v] : 0;
    found.through[*v] += onward[*v];
    found.arrived[*v] += ends;
    served += ends;
    for (const std::int64_t a : before[*v]) {
      const double share = (onward[*v] + ends) * paths[tails[a]] / paths[*v];
      onward[tails[a]] += share;
      found.along[a] += share;
    }
  }
}

elimination::Tree tree_of(const Sample& sample, int threads) {
  Control control;
  Team team(threads);
  const auto neighbours = elimination::neighbours_of(sample.csr());
  return elimination::eliminate(
      neighbours, elimination::elimination_order(neighbours, INT64_MAX, elimination::Effort{}, team, control),
      INT64_MAX, control);
}

// A demand to all, or rows of some targets; with a cutoff, ties divided or not.
void check_graph(const Sample& sample, std::mt19937& random, bool rows, double cutoff, int threads) {
  std::vector<std::int32_t> sources, targets;
  std::vector<std::int64_t> start{0};
  std::vector<double> values, to(sample.n);
  for (double& amount : to) amount = random() % 3;
  std::vector<std::vector<double>> demands;
  for (std::int32_t v = 0; v < sample.n; v += 1 + static_cast<std::int32_t>(random() % 3)) {
    sources.push_back(v);
    demands.push_back(to);
    if (!rows) continue;
    std::fill(demands.back().begin(), demands.back().end(), 0);
    for (std::int32_t target = 0; target < sample.n; target += 1 + static_cast<std::int32_t>(random() % 9)) {
      targets.push_back(target);
      values.push_back(demands.back()[target] = random() % 5);
    }
    start.push_back(static_cast<std::int64_t>(targets.size()));
  }
  const auto count = static_cast<std::int64_t>(sources.size());
  const flows::Demand demand{.sources = sources.data(),
                             .count = count,
                             .to = rows ? nullptr : to.data(),
                             .start = start.data(),
                             .targets = targets.data(),
                             .values = values.data()};
  const std::vector<double> lengths(sample.weights.begin(), sample.weights.end());
  const bool ends = cutoff < 1e9;
  Control control;
  const bool hops = std::all_of(sample.weights.begin(), sample.weights.end(), [](auto w) { return w == 1; });
  for (const bool first : {false, true}) {
    Found expected(sample, count), found(sample, count), in_hops(sample, count);
    for (std::int64_t i = 0; i < count; ++i)
      add_row(sample, sources[i], demands[i], cutoff, first, expected.served[i], expected);
    flows::flows_by_length<std::int32_t>(
        sample.csr(), sample.weights.data(), nullptr, demand,
        ends ? static_cast<std::int32_t>(cutoff) : semiring::kNoPath<std::int32_t>,
        first ? flows::Ties::kFirst : flows::Ties::kSplit, found.out(), threads, control);
    CHECK(near(found, expected));
    if (hops && !first) {
      flows::flows_by_hops(sample.csr(), demand, ends ? static_cast<std::int64_t>(cutoff) : INT64_MAX,
                           in_hops.out(), threads, control);
      CHECK(near(in_hops, expected));
    }
    Found again(sample, count);
    const elimination::Tree tree = tree_of(sample, threads);
    if (first) {
      Team team(threads);
      std::vector<std::int32_t> factor(tree.view().entries());
      CHECK(elimination::factorise<std::int32_t>(tree.view(), sample.arcs(), nullptr, true, factor.data(),
                                                 team, control) < 0);
      flows::first_by_elimination<std::int32_t>(
          {tree.view(), factor.data(), sample.arcs(), nullptr, true}, sample.csr(), sample.weights.data(),
          demand, ends ? static_cast<std::int32_t>(cutoff) : semiring::kNoPath<std::int32_t>, again.out(),
          threads, control);
      CHECK(near(again, expected));
      continue;
    }
    CHECK(flows::flows_by_elimination(tree.view(), sample.csr(), lengths.data(), demand, cutoff, again.out(),
                                      threads, control));
    CHECK(near(again, expected));
  }
}

// Elimination gives up where numbers of paths are near the end of float64; searches say from which source.
void check_too_many() {
  const Sample sample = diamonds(1100, false);
  const std::int32_t source = 0;
  const std::vector<double> ones(sample.n, 1), lengths(sample.weights.begin(), sample.weights.end());
  const flows::Demand demand{.sources = &source, .count = 1, .to = ones.data()};
  Found found(sample, 1);
  Control control;
  const elimination::Tree tree = tree_of(sample, 2);
  CHECK(!flows::flows_by_elimination(tree.view(), sample.csr(), lengths.data(), demand,
                                     std::numeric_limits<double>::infinity(), found.out(), 2, control));
  bool refused = false;
  try {
    flows::flows_by_length<std::int32_t>(sample.csr(), sample.weights.data(), nullptr, demand,
                                         semiring::kNoPath<std::int32_t>, flows::Ties::kSplit, found.out(), 1,
                                         control);
  } catch (const flows::TooManyPaths& error) {
    refused = error.source == 0;
  }
  CHECK(refused);
}

// 2^60 + 1 paths, which double rounds.
void check_integers() {
  const Sample sample = diamonds(60, true);
  const std::int32_t source = 0, target = 180;
  double rounded = 0;
  std::uint64_t exact = 0;
  Control control;
  const auto count = [&](auto& number) {
    const flows::Counts<std::remove_reference_t<decltype(number)>> counts{
        .sources = &source, .count = 1, .targets = &target, .columns = 1, .paths = &number, .stride = 1};
    flows::counts_by_length<std::int32_t>(sample.csr(), sample.weights.data(), nullptr,
                                          semiring::kNoPath<std::int32_t>, counts, 1, control);
  };
  count(rounded);
  count(exact);
  CHECK(rounded == std::ldexp(1.0, 60));
  CHECK(exact == (std::uint64_t{1} << 60) + 1);
}

}  // namespace

int main() {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const Sample sample = random_graph(random, random() % 60 + 1, round % 2 == 0 ? 1 : 3, 1);
    check_graph(sample, random, round % 4 < 2, round % 3 == 0 ? 4 : 1e18, 1 + round % 3);
  }
  for (const std::int64_t parts : {30, 150})  // many more vertices than a search reaches
    for (const bool rows : {false, true})
      check_graph(random_graph(random, 300, rows ? 1 : 3, parts), random, rows, 1e18, 2);
  check_too_many();
  check_integers();
}
