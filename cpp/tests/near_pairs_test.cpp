// Pairs within a cutoff by searches, in lanes and by sweeps of elimination, against plain rows of distances:
// bounds, k with ties, targets, next hops, orders, limits, sums of another cost, rows that are filled with
// them.
#include "searches/near_pairs.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#include "elimination/dissection.hpp"
#include "elimination/factor.hpp"
#include "elimination/near_pairs.hpp"
#include "elimination/neighbours.hpp"
#include "elimination/tree.hpp"
#include "label_correcting/near_lanes.hpp"
#include "searches/near_matrix.hpp"
#include "tests/check.hpp"
#include "tests/small_graph.hpp"

namespace {

using namespace apsp;
using tests::kNone;
using tests::SmallGraph;

using Rows = std::vector<std::vector<std::int64_t>>;
using Heads = std::vector<std::vector<std::int32_t>>;

enum class Kind { kSearches, kLanes, kSweeps };

template <class T>
constexpr bool kHasSweeps = std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int32_t>;

// A factor, with all that it refers to.
template <class T>
struct OwnedFactor {
  elimination::Tree tree;
  std::vector<T> values;

  explicit OwnedFactor(const SmallGraph& graph) {
    Control control;
    Team team(2);
    const auto neighbours = elimination::neighbours_of(graph.csr());
    const auto order =
        elimination::elimination_order(neighbours, INT64_MAX, elimination::Effort{}, team, control);
    tree = elimination::eliminate(neighbours, order, INT64_MAX, control);
    values.resize(static_cast<std::size_t>(tree.view().entries()));
    CHECK(elimination::factorise<T>(tree.view(), graph.arcs(), graph.closed(), true, values.data(), team,
                                    control) < 0);
  }
};

// The searches of a kind, for as long as the object lives.
template <class T>
struct Finder {
  std::vector<T> weights;
  std::unique_ptr<OwnedFactor<T>> factor;
  std::unique_ptr<searches::NearFinder<T>> finder;

  Finder(const SmallGraph& graph, Kind kind, bool many, const double* costs = nullptr, int size = 0)
      : weights(graph.weights.begin(), graph.weights.end()) {
    if (kind == Kind::kSearches)
      finder = searches::near_searches<T>(graph.csr(), weights.data(), many, costs, size);
    else if (kind == Kind::kLanes)
      finder = label_correcting::near_lanes<T>(graph.csr(), weights.data(), costs, size);
    else if constexpr (kHasSweeps<T>) {
      factor = std::make_unique<OwnedFactor<T>>(graph);
      const elimination::Factored<T> factored{factor->tree.view(), factor->values.data(), graph.arcs(),
                                              graph.closed(), true};
      finder = elimination::near_sweeps<T>(factored, graph.csr(), weights.data(), costs, size);
    }
  }

  const searches::NearFinder<T>* operator->() const { return finder.get(); }
};

struct Case {
  std::int64_t cutoff, k;
  std::vector<std::uint8_t> is_target;
  bool own, by_target;
};

// (distance, target) of one source.
std::vector<std::pair<std::int64_t, std::int32_t>> expected(const Case& given,
                                                            const std::vector<std::int64_t>& row,
                                                            std::int32_t source) {
  std::vector<std::pair<std::int64_t, std::int32_t>> found;
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(row.size()); ++v)
    if (row[v] != kNone && row[v] <= given.cutoff && (given.is_target.empty() || given.is_target[v]) &&
        (given.own || v != source))
      found.emplace_back(row[v], v);
  std::sort(found.begin(), found.end());
  if (static_cast<std::int64_t>(found.size()) > given.k) found.resize(static_cast<std::size_t>(given.k));
  if (given.by_target)
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return found;
}

// Whether a shortest path from the source to v goes to the hop first.
bool leads(const SmallGraph& graph, const Rows& rows, std::int32_t source, std::int32_t v, std::int32_t hop) {
  const bool through = hop == v || graph.zones.empty() || !graph.zones[hop];
  for (std::int64_t a = graph.indptr[source]; a < graph.indptr[source + 1]; ++a)
    if (graph.indices[a] == hop && through && rows[hop][v] != kNone &&
        graph.weights[a] + rows[hop][v] == rows[source][v])
      return true;
  return false;
}

// For each vertex the head of the first arc of the source, in their order, with which a shortest path begins
// that does not return to the source.
std::vector<std::int32_t> first_heads(const SmallGraph& graph, const Rows& rows, std::int32_t source) {
  SmallGraph without = graph;
  for (std::size_t a = 0; a < without.indices.size(); ++a)
    if (without.indices[a] == source) without.weights[a] = 1 << 20;
  std::vector<std::int32_t> found(static_cast<std::size_t>(graph.n), -1);
  for (std::int64_t a = graph.indptr[source + 1] - 1; a >= graph.indptr[source]; --a) {
    const std::int32_t head = graph.indices[a];
    if (head == source) continue;
    const bool closed = !graph.zones.empty() && graph.zones[head];
    const std::vector<std::int64_t> rest = without.row(head);
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(graph.n); ++v)
      if (v != source && rest[v] != kNone && (v == head || !closed) &&
          graph.weights[a] + rest[v] == rows[source][v])
        found[v] = head;
  }
  return found;
}

// Rows and predecessors from the pairs, if they are all that are within the cutoff.
template <class T>
void check_written(const SmallGraph& graph, const Rows& rows, const std::vector<std::int32_t>& sources,
                   const Case& given, const searches::NearPairs<T>& found, int threads) {
  if (given.k < graph.n || !given.is_target.empty() || !given.own) return;
  const std::vector<T> weights(graph.weights.begin(), graph.weights.end());
  const searches::PairsToWrite<T> pairs{found.starts.data(), found.targets.get(), found.distances.get()};
  const std::int32_t first = static_cast<std::int32_t>(graph.n) - 1;
  const std::vector<std::int32_t> targets{first, 0, first};
  const auto count = static_cast<std::int64_t>(sources.size());
  for (const bool some : {false, true})
    for (const bool trees : {false, true}) {
      rows::RowRequest<T> request;
      request.sources = sources.data();
      request.count = count;
      request.columns = some ? static_cast<std::int64_t>(targets.size()) : graph.n;
      if (some) request.targets = targets.data();
      request.dist_stride = request.columns + 1;
      request.pred_stride = graph.n + 2;
      std::vector<T> dist(static_cast<std::size_t>(count * request.dist_stride), T{7});
      std::vector<std::int32_t> pred(static_cast<std::size_t>(count * request.pred_stride), -7);
      request.dist = dist.data();
      if (trees) request.pred = pred.data();
      Control control;
      searches::write_near<T>(graph.csr(), weights.data(), pairs, request, threads, control);
      for (std::int64_t i = 0; i < count; ++i) {
        const auto& row = rows[sources[i]];
        const auto is_near = [&](std::int32_t v) { return row[v] != kNone && row[v] <= given.cutoff; };
        const T* const written = dist.data() + i * request.dist_stride;
        for (std::int64_t j = 0; j < request.columns; ++j) {
          const std::int32_t v = some ? targets[j] : static_cast<std::int32_t>(j);
          CHECK(written[j] == (is_near(v) ? static_cast<T>(row[v]) : semiring::kNoPath<T>));
        }
        CHECK(written[request.columns] == T{7});
        const std::int32_t* const tree = pred.data() + i * request.pred_stride;
        for (std::int32_t v = 0; trees && v < static_cast<std::int32_t>(graph.n); ++v) {
          CHECK((tree[v] == -1) == (v == sources[i] || !is_near(v)));
          std::int64_t steps = 0;
          for (std::int32_t at = v; tree[at] >= 0; at = tree[at]) {
            const std::int32_t u = tree[at];
            bool is_tight = false;
            for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a)
              is_tight |= graph.indices[a] == at && row[u] + graph.weights[a] == row[at];
            CHECK(is_tight && (u == sources[i] || graph.zones.empty() || !graph.zones[u]));
            CHECK(++steps < graph.n);
          }
        }
        CHECK(tree[graph.n] == -7);
      }
    }
}

template <class T>
void check(const SmallGraph& graph, const Rows& rows, const std::vector<std::int32_t>& sources,
           const Heads& heads, const Case& given, bool many, bool hops, Kind kind) {
  const Finder<T> finder(graph, kind, many);
  searches::NearRequest<T> request;
  request.sources = sources.data();
  request.count = static_cast<std::int64_t>(sources.size());
  request.cutoff = static_cast<T>(given.cutoff);
  request.k = given.k;
  request.is_target = given.is_target.empty() ? nullptr : given.is_target.data();
  request.own = given.own;
  request.by_target = given.by_target;
  request.hops = hops;
  for (const int threads : {1, 3}) {
    Control control;
    const auto found = finder->find(request, threads, control);
    CHECK(found.complete);
    CHECK(control.done() == request.count);
    CHECK(static_cast<std::int64_t>(found.starts.size()) == request.count + 1);
    CHECK((found.hops != nullptr) == hops);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto truth = expected(given, rows[sources[i]], sources[i]);
      CHECK(found.starts[i + 1] - found.starts[i] == static_cast<std::int64_t>(truth.size()));
      for (std::size_t j = 0; j < truth.size(); ++j) {
        const std::int64_t at = found.starts[i] + static_cast<std::int64_t>(j);
        CHECK(found.distances[at] == static_cast<T>(truth[j].first));
        CHECK(found.targets[at] == truth[j].second);
        if (!hops) continue;
        if (truth[j].second == sources[i])
          CHECK(found.hops[at] == -1);
        else
          CHECK(leads(graph, rows, sources[i], truth[j].second, found.hops[at]));
        if (kind == Kind::kLanes && std::is_integral_v<T>)
          CHECK(found.hops[at] == heads[sources[i]][truth[j].second]);
      }
    }
    check_written(graph, rows, sources, given, found, threads);
    if (found.size() == 0) continue;
    request.most = found.size();
    CHECK(finder->find(request, threads, control).complete);
    request.most = found.size() - 1;
    const auto none = finder->find(request, threads, control);
    CHECK(!none.complete && none.size() == 0);
    request.most = INT64_MAX;
  }
}

void check_cancelled(const SmallGraph& graph, Kind kind) {
  const Finder<std::int32_t> finder(graph, kind, true);
  const std::vector<std::int32_t> sources(1000, 0);
  searches::NearRequest<std::int32_t> request;
  request.sources = sources.data();
  request.count = 1000;
  Control control;
  control.cancel();
  bool stopped = false;
  try {
    (void)finder->find(request, 2, control);
  } catch (const Cancelled&) {
    stopped = true;
  }
  CHECK(stopped);
}

// The least tuple (distance, cost) of paths that start with a source, by Bellman-Ford; costs are small
// numbers of at least 0.
std::vector<std::pair<std::int64_t, std::int64_t>> least_sums(const SmallGraph& graph,
                                                              const std::vector<double>& cost,
                                                              std::int64_t source) {
  std::vector<std::pair<std::int64_t, std::int64_t>> found(static_cast<std::size_t>(graph.n), {kNone, 0});
  found[static_cast<std::size_t>(source)] = {0, 0};
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t u = 0; u < graph.n; ++u) {
      if (found[u].first == kNone || (u != source && !graph.zones.empty() && graph.zones[u])) continue;
      for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
        const std::pair sum(found[u].first + graph.weights[a],
                            found[u].second + static_cast<std::int64_t>(cost[a]));
        if (!(sum < found[graph.indices[a]])) continue;
        found[graph.indices[a]] = sum;
        changed = true;
      }
    }
  }
  return found;
}

// Sums of another cost (path_costs.hpp) belong to the least path by both, and so does the next hop.
void check_sums(const SmallGraph& graph, const Rows& rows, const std::vector<std::int32_t>& sources,
                std::mt19937_64& random) {
  std::vector<double> cost(graph.indices.size());
  for (double& each : cost) each = static_cast<double>(random() % 4);
  searches::NearRequest<std::int32_t> request;
  request.sources = sources.data();
  request.count = static_cast<std::int64_t>(sources.size());
  request.cutoff = static_cast<std::int32_t>(random() % 80);
  request.hops = request.sums = true;
  for (const Kind kind : {Kind::kSearches, Kind::kLanes, Kind::kSweeps}) {
    const Finder<std::int32_t> finder(graph, kind, random() % 2 == 0, cost.data(), 1);
    Control control;
    const auto found = finder->find(request, 2, control);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto least = least_sums(graph, cost, sources[i]);
      for (std::int64_t at = found.starts[i]; at < found.starts[i + 1]; ++at) {
        const std::int32_t v = found.targets[at], hop = found.hops[at];
        CHECK(least[v] == std::pair(static_cast<std::int64_t>(found.distances[at]),
                                    static_cast<std::int64_t>(found.sums[at])));
        if (v == sources[i]) {
          CHECK(hop == -1);
          continue;
        }
        CHECK(leads(graph, rows, sources[i], v, hop));
        const auto rest = least_sums(graph, cost, hop)[v];
        bool on_path = false;
        for (std::int64_t a = graph.indptr[sources[i]]; a < graph.indptr[sources[i] + 1]; ++a)
          on_path |= graph.indices[a] == hop && graph.weights[a] + rest.first == least[v].first &&
                     static_cast<std::int64_t>(cost[a]) + rest.second == least[v].second;
        CHECK(on_path);
      }
    }
  }
}

// More sources than lanes of a batch, in a graph of which little is near.
void check_many_batches(std::mt19937_64& random) {
  const SmallGraph graph = tests::small_graph(random, 400, 4, 3, true);
  Rows rows;
  for (std::int64_t v = 0; v < graph.n; ++v) rows.push_back(graph.row(v));
  std::vector<std::int32_t> sources;
  for (int i = 0; i < 700; ++i) sources.push_back(static_cast<std::int32_t>(random() % 400));
  for (const std::int64_t cutoff : {0, 12, 45, 4000})
    for (const Kind kind : {Kind::kSearches, Kind::kSweeps}) {
      const Case given{cutoff, INT64_MAX, {}, true, cutoff == 12};
      check<std::uint16_t>(graph, rows, sources, {}, given, true, true, kind);
      check<std::int32_t>(graph, rows, sources, {}, given, true, false, kind);
    }
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  for (int round = 0; round < 120; ++round) {
    const auto n = static_cast<std::int64_t>(1 + random() % 90);
    SmallGraph graph = tests::small_graph(random, n, 1 + static_cast<std::int64_t>(random() % 12),
                                          1 + static_cast<int>(random() % 5), round % 3 == 0);
    if (round % 4 == 0)
      for (std::int32_t& weight : graph.weights) weight %= 3;  // many zeros and ties
    Rows rows;
    for (std::int64_t v = 0; v < n; ++v) rows.push_back(graph.row(v));
    Heads heads;
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(n); ++v)
      heads.push_back(first_heads(graph, rows, v));
    std::vector<std::int32_t> sources;
    for (std::uint64_t i = random() % 40; i > 0; --i)
      sources.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(n)));
    Case given{static_cast<std::int64_t>(random() % 80), INT64_MAX, {}, round % 5 != 0, round % 2 == 0};
    if (round % 7 == 0) given.cutoff = 0;
    if (random() % 2 == 0) given.k = static_cast<std::int64_t>(1 + random() % 8);
    if (random() % 2 == 0)
      for (std::int64_t v = 0; v < n; ++v) given.is_target.push_back(random() % 3 == 0);
    const bool many = random() % 2 == 0, hops = random() % 2 == 0;
    for (const Kind kind : {Kind::kSearches, Kind::kLanes}) {
      check<std::uint16_t>(graph, rows, sources, heads, given, many, hops, kind);
      check<std::int32_t>(graph, rows, sources, heads, given, many, hops, kind);
      check<std::int64_t>(graph, rows, sources, heads, given, many, hops, kind);
      check<float>(graph, rows, sources, heads, given, many, hops, kind);
      check<double>(graph, rows, sources, heads, given, many, hops, kind);
      check_cancelled(graph, kind);
    }
    check<std::uint16_t>(graph, rows, sources, heads, given, many, hops, Kind::kSweeps);
    check<std::int32_t>(graph, rows, sources, heads, given, many, hops, Kind::kSweeps);
    check_cancelled(graph, Kind::kSweeps);
    check_sums(graph, rows, sources, random);
  }
  check_many_batches(random);
}
