// The factor and the sweeps of maps in browsers against those of elimination: the same values, to the last
// bit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "elimination/batch.hpp"
#include "elimination/dissection.hpp"
#include "elimination/rows.hpp"
#include "elimination/tree.hpp"
#include "explore/factor.hpp"
#include "explore/sweep.hpp"
#include "tests/check.hpp"

namespace {

using namespace apsp;

template <class T>
constexpr graph::WeightType kType =
    std::is_integral_v<T> ? graph::WeightType::kInt32
                          : (sizeof(T) == 4 ? graph::WeightType::kFloat32 : graph::WeightType::kFloat64);

template <class T>
struct Sample {
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices;
  std::vector<T> weights;
  std::vector<std::uint8_t> zones;

  std::int64_t n() const { return std::ssize(indptr) - 1; }
  graph::Csr csr() const {
    return {n(), indptr.data(), indices.data(), std::ssize(indices), zones.empty() ? nullptr : zones.data()};
  }
  graph::WeightedArcs arcs() const { return {n(), indptr.data(), indices.data(), weights.data(), kType<T>}; }
  const bool* closed() const { return zones.empty() ? nullptr : reinterpret_cast<const bool*>(zones.data()); }
};

// Vertices on a ring with arcs to others that are `reach` away at most.
template <class T>
Sample<T> random_sample(std::mt19937_64& random, std::int64_t n, std::int64_t reach, int arcs, bool zones) {
  Sample<T> sample;
  std::uniform_real_distribution<double> weight(0, 50);
  for (std::int64_t u = 0; u < n; ++u) {
    for (int arc = 0; arc < arcs; ++arc) {
      const auto shift =
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * reach + 1)) - reach;
      if (random() % 4 == 0) continue;
      sample.indices.push_back(static_cast<std::int32_t>(((u + shift) % n + n) % n));
      sample.weights.push_back(static_cast<T>(weight(random)));
    }
    sample.indptr.push_back(std::ssize(sample.indices));
    if (zones) sample.zones.push_back(random() % 4 == 0);
  }
  return sample;
}

// Arcs among 700 vertices, and ten more that have arcs to and from 300 of these: a front of few columns and
// many rows.
template <class T>
Sample<T> wide_sample(std::mt19937_64& random) {
  constexpr std::int32_t kMany = 700, kRows = 300, kFew = 10;
  Sample<T> sample;
  std::uniform_real_distribution<double> weight(0, 50);
  for (std::int32_t u = 0; u < kMany + kFew; ++u) {
    for (std::int32_t v = 0; v < kMany + kFew; ++v) {
      const bool few = u >= kMany || v >= kMany;
      if (few ? (u >= kRows && u < kMany) || (v >= kRows && v < kMany) : random() % 8 != 0) continue;
      sample.indices.push_back(v);
      sample.weights.push_back(static_cast<T>(weight(random)));
    }
    sample.indptr.push_back(std::ssize(sample.indices));
  }
  return sample;
}

// The tree of a page, with its arrays.
struct Plain {
  std::vector<std::int32_t> first, row_start, rows, node_of, out_start, in_start;
  explore::Tree tree;

  explicit Plain(const elimination::Tree& from)
      : first(from.first), row_start(from.row_start.begin(), from.row_start.end()), rows(from.rows) {
    tree.n = static_cast<std::int32_t>(from.order.size());
    tree.nodes = static_cast<std::int32_t>(from.parent.size());
    node_of.resize(from.order.size());
    out_start.resize(from.parent.size());
    in_start.resize(from.parent.size());
    tree.first = first.data();
    tree.row_start = row_start.data();
    tree.rows = rows.data();
    tree.node_of = node_of.data();
    tree.out_start = out_start.data();
    tree.in_start = in_start.data();
    CHECK(explore::lay_out(tree, node_of.data(), out_start.data(), in_start.data()) == from.view().entries());
    for (std::size_t s = 0; s < from.parent.size(); ++s)
      CHECK(tree.parent(static_cast<std::int32_t>(s)) == from.parent[s]);
  }
};

template <class T>
std::vector<T> factor_of(const Plain& plain, const Sample<T>& sample, const elimination::Tree& tree) {
  const std::vector<elimination::Vertex> place = elimination::places_of(tree.view());
  std::vector<std::int32_t> start{0}, heads;
  std::vector<T> weights;
  std::vector<std::uint8_t> zones;
  for (const std::int32_t v : tree.order) {
    for (std::int64_t arc = sample.indptr[v]; arc < sample.indptr[v + 1]; ++arc) {
      heads.push_back(place[sample.indices[arc]]);
      weights.push_back(sample.weights[arc]);
    }
    start.push_back(static_cast<std::int32_t>(heads.size()));
    if (!sample.zones.empty()) zones.push_back(sample.zones[v]);
  }
  std::vector<T> values(tree.view().entries());
  std::vector<T> scratch(explore::factor_scratch(plain.tree));
  std::vector<std::int32_t> position(explore::most_rows(plain.tree));
  explore::factorise<T>(
      plain.tree, {start.data(), heads.data(), weights.data(), zones.empty() ? nullptr : zones.data()},
      values.data(), static_cast<std::int32_t>(values.size()), scratch.data(), position.data());
  return values;
}

template <class T>
bool is_same(T a, T b) {
  if constexpr (std::is_integral_v<T>) return a == b;
  // Rows of elimination add in an order that depends on the instruction set.
  return a == b || std::abs(a - b) <= 8 * std::numeric_limits<T>::epsilon() * b;
}

template <class T>
void check_rows(const Plain& plain, const Sample<T>& sample, const elimination::Tree& tree,
                const std::vector<T>& values, const std::vector<T>& native) {
  const std::vector<elimination::Vertex> place = elimination::places_of(tree.view());
  const elimination::Factored<T> factored{tree.view(), native.data(), sample.arcs(), sample.closed(), true};
  const auto n = static_cast<std::size_t>(sample.n());
  std::vector<T> line(n), above(explore::most_rows(plain.tree)), nearest(n), expected(n), both(n);
  std::vector<std::uint8_t> met(plain.tree.nodes);
  std::vector<std::int32_t> seeds;
  std::vector<T> starts;
  for (std::size_t v = 0; v < n; v += n / 7 + 1) {
    const auto source = static_cast<std::int32_t>(v);
    rows::RowRequest<T> request;
    request.sources = &source;
    request.count = 1;
    request.columns = sample.n();
    request.dist = expected.data();
    request.dist_stride = sample.n();
    Control control;
    CHECK(elimination::fill_rows(factored, request, 1, control));
    const std::size_t before = seeds.size();
    elimination::for_seeds(factored, source, [&](elimination::Vertex seed, T value) {
      seeds.push_back(place[seed]);
      starts.push_back(value);
    });
    explore::sweep<T>(
        plain.tree, values.data(),
        {seeds.data() + before, starts.data() + before, static_cast<std::int32_t>(seeds.size() - before)},
        line.data(), met.data(), above.data());
    for (std::size_t to = 0; to < n; ++to) {
      const T found = line[place[to]];
      const bool reached = found < explore::Values<T>::kNone;
      CHECK(reached ? is_same(found, expected[to]) : expected[to] == semiring::kNoPath<T>);
      nearest[to] = v == 0 ? found : std::min(nearest[to], found);
    }
  }
  explore::sweep<T>(plain.tree, values.data(),
                    {seeds.data(), starts.data(), static_cast<std::int32_t>(seeds.size())}, both.data(),
                    met.data(), above.data());
  for (std::size_t to = 0; to < n; ++to) CHECK(is_same(both[place[to]], nearest[to]));
  CHECK(std::count(met.begin(), met.end(), 0) == std::ssize(met));
}

template <class T>
void check(const Sample<T>& sample) {
  Control control;
  Team team(1);
  const elimination::Neighbours neighbours = elimination::neighbours_of(sample.csr());
  const elimination::Tree tree = elimination::eliminate(
      neighbours, elimination::elimination_order(neighbours, INT64_MAX, elimination::Effort{}, team, control),
      INT64_MAX, control);
  const Plain plain(tree);
  std::vector<T> expected(tree.view().entries());
  CHECK(elimination::factorise<T>(tree.view(), sample.arcs(), sample.closed(), true, expected.data(), team,
                                  control) < 0);
  const std::vector<T> values = factor_of(plain, sample, tree);
  for (std::int32_t s = 0; s < plain.tree.nodes; ++s) {
    const auto panel = expected.begin() + tree.panel_start[s],
               end = expected.begin() + tree.panel_start[s + 1];
    const auto between = panel + plain.tree.columns(s) * (plain.tree.columns(s) + plain.tree.row_count(s));
    CHECK(std::equal(panel, between, values.begin() + plain.out_start[s]));
    CHECK(std::equal(between, end, values.begin() + plain.in_start[s]));
  }
  if (sample.n() > 0) check_rows(plain, sample, tree, values, expected);
}

template <class T>
void check_all() {
  std::mt19937_64 random(3);
  check(wide_sample<T>(random));
  for (const bool zones : {false, true}) {
    check(random_sample<T>(random, 1, 1, 1, zones));
    check(random_sample<T>(random, 30, 2, 2, zones));
    check(random_sample<T>(random, 400, 3, 3, zones));
    check(random_sample<T>(random, 500, 200, 3, zones));  // fronts of more than 128 columns
    check(random_sample<T>(random, 3000, 40, 4, zones));  // and with rows
  }
}

}  // namespace

int main() {
  check_all<std::int32_t>();
  check_all<float>();
  check_all<double>();
}
