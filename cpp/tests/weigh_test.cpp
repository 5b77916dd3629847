// Sums of amounts within cutoffs, by elimination, by searches and over rows, against sums over plain rows.
#include "reductions/weigh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "elimination/dissection.hpp"
#include "elimination/within.hpp"
#include "searches/weigh.hpp"
#include "tests/check.hpp"
#include "tests/small_graph.hpp"

namespace {

using namespace apsp;
using tests::kNone;
using tests::SmallGraph;

enum class Amounts { kSmall, kLarge, kSome, kParts };  // kSome: few are too large for 16 bits

struct Case {
  std::int64_t kinds;
  std::vector<std::int64_t> cutoffs;
  std::vector<double> amounts;
  reductions::Decay decay;
  bool exact;
};

Case random_case(std::mt19937_64& random, std::int64_t n, Amounts amounts, bool decays) {
  Case made{static_cast<std::int64_t>(1 + random() % 7), {}, {}, {}, amounts != Amounts::kParts && !decays};
  const auto cutoffs = 1 + random() % 6;
  for (std::uint64_t c = 0; c < cutoffs; ++c)
    made.cutoffs.push_back(static_cast<std::int64_t>(random() % 200 + (c > 0 ? 0 : 20)));
  std::sort(made.cutoffs.begin(), made.cutoffs.end());
  for (std::int64_t i = 0; i < n * made.kinds; ++i) {
    const auto whole = static_cast<double>(random() % 1000);
    const bool large = amounts == Amounts::kLarge || (amounts == Amounts::kSome && random() % 100 == 0);
    made.amounts.push_back(amounts == Amounts::kParts ? whole / 7 - 20 : large ? whole * 1e10 : whole);
  }
  if (decays) made.decay = {reductions::DecayKind::kExponential, 0.01, 0};
  return made;
}

std::vector<double> expected(const Case& wanted, const std::vector<std::int64_t>& row) {
  std::vector<double> sums;
  for (const std::int64_t cutoff : wanted.cutoffs)
    for (std::int64_t k = 0; k < wanted.kinds; ++k) {
      double sum = 0;
      for (std::size_t v = 0; v < row.size(); ++v)
        if (row[v] != kNone && row[v] <= cutoff)
          sum += wanted.amounts[v * static_cast<std::size_t>(wanted.kinds) + static_cast<std::size_t>(k)] *
                 wanted.decay(static_cast<double>(row[v]));
      sums.push_back(sum);
    }
  return sums;
}

void check_sums(const Case& wanted, const std::vector<double>& found, const std::vector<double>& truth) {
  CHECK(found.size() == truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i)
    CHECK(wanted.exact ? found[i] == truth[i]
                       : std::abs(found[i] - truth[i]) <= 1e-9 * (1000 + std::abs(truth[i])));
}

struct Factorised {
  elimination::Tree tree;
  explicit Factorised(const SmallGraph& graph) {
    Control control;
    Team team(2);
    const auto neighbours = elimination::neighbours_of(graph.csr());
    tree = elimination::eliminate(
        neighbours,
        elimination::elimination_order(neighbours, INT64_MAX, elimination::Effort{}, team, control),
        INT64_MAX, control);
  }
};

template <class T>
void check(const SmallGraph& graph, const elimination::TreeView& tree, const Case& wanted,
           const std::vector<std::int32_t>& sources, const std::vector<double>& truth,
           const std::vector<std::vector<std::int64_t>>& rows) {
  Control control;
  std::vector<T> cutoffs(wanted.cutoffs.begin(), wanted.cutoffs.end());
  std::vector<double> sums(truth.size(), -1.0);
  const reductions::Weighing<T> weighing{wanted.amounts.data(), wanted.kinds,
                                         cutoffs.data(),        static_cast<std::int64_t>(cutoffs.size()),
                                         wanted.decay,          sums.data()};
  const auto count = static_cast<std::int64_t>(sources.size());
  const auto clear = [&] { std::fill(sums.begin(), sums.end(), -1.0); };
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 4) {
    Team team(2);
    std::vector<T> values(static_cast<std::size_t>(tree.entries()));
    CHECK(elimination::factorise<T>(tree, graph.arcs(), graph.closed(), true, values.data(), team, control) <
          0);
    const elimination::Factored<T> factored{tree, values.data(), graph.arcs(), graph.closed(), true};
    elimination::weigh_within<T>(factored, sources.data(), count, weighing, 1, control);
    check_sums(wanted, sums, truth);
    const std::vector<double> first = sums;
    clear();
    elimination::weigh_within<T>(factored, sources.data(), count, weighing, 3, control);
    CHECK(first == sums);  // bit for bit
    clear();
  }
  const std::vector<T> weights(graph.weights.begin(), graph.weights.end());
  for (const auto queue : {searches::QueueKind::kHeap, searches::QueueKind::kBuckets}) {
    if (std::is_floating_point_v<T> && queue == searches::QueueKind::kBuckets) continue;
    searches::weigh_balls<T>(graph.csr(), weights.data(), sources.data(), count, weighing, queue, 2, control);
    check_sums(wanted, sums, truth);
    clear();
  }
  std::vector<T> dist;
  for (const std::int32_t source : sources)
    for (const std::int64_t d : rows[source])
      dist.push_back(d == kNone ? semiring::kNoPath<T> : static_cast<T>(d));
  reductions::weigh_rows<T>({dist.data(), count, graph.n, graph.n}, weighing, 2, control);
  check_sums(wanted, sums, truth);
}

void check_graph(std::mt19937_64& random, const SmallGraph& graph) {
  const Factorised factorised(graph);
  std::vector<std::vector<std::int64_t>> rows;
  for (std::int64_t v = 0; v < graph.n; ++v) rows.push_back(graph.row(v));
  std::vector<std::int32_t> sources;  // some twice
  for (std::int64_t i = 0; i < graph.n + graph.n / 4; ++i)
    sources.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(graph.n)));
  for (const auto amounts : {Amounts::kSmall, Amounts::kLarge, Amounts::kSome, Amounts::kParts}) {
    for (const bool decays : {false, true}) {
      const Case wanted = random_case(random, graph.n, amounts, decays);
      std::vector<double> truth;
      for (const std::int32_t source : sources) {
        const auto sums = expected(wanted, rows[source]);
        truth.insert(truth.end(), sums.begin(), sums.end());
      }
      const auto tree = factorised.tree.view();
      check<std::uint16_t>(graph, tree, wanted, sources, truth, rows);
      check<std::int32_t>(graph, tree, wanted, sources, truth, rows);
      check<std::int64_t>(graph, tree, wanted, sources, truth, rows);
      check<double>(graph, tree, wanted, sources, truth, rows);
    }
  }
}

}  // namespace

int main() {
  std::mt19937_64 random(7);
  for (int round = 0; round < 8; ++round) {
    const auto n = static_cast<std::int64_t>(1 + random() % 120);
    const auto reach = static_cast<std::int64_t>(1 + random() % 8);
    check_graph(random, tests::small_graph(random, n, reach, static_cast<int>(random() % 4), round % 2 == 1));
  }
  check_graph(random, tests::small_graph(random, 300, 5, 3, false));
  return 0;
}
