// Pairs within a cutoff by searches and in lanes, against plain rows of distances: bounds, k with ties,
// targets, next hops, orders, limits, sums of another cost.
#include "searches/near_pairs.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#include "label_correcting/near_lanes.hpp"
#include "tests/check.hpp"
#include "tests/small_graph.hpp"

namespace {

using namespace apsp;
using tests::kNone;
using tests::SmallGraph;

using Rows = std::vector<std::vector<std::int64_t>>;
using Heads = std::vector<std::vector<std::int32_t>>;

enum class Kind { kSearches, kLanes };

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

template <class T>
void check(const SmallGraph& graph, const Rows& rows, const std::vector<std::int32_t>& sources,
           const Heads& heads, const Case& given, bool many, bool hops, Kind kind) {
  const std::vector<T> weights(graph.weights.begin(), graph.weights.end());
  const auto finder = kind == Kind::kLanes ? label_correcting::near_lanes<T>(graph.csr(), weights.data())
                                           : searches::near_searches<T>(graph.csr(), weights.data(), many);
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
  const auto finder = kind == Kind::kLanes
                          ? label_correcting::near_lanes<std::int32_t>(graph.csr(), graph.weights.data())
                          : searches::near_searches<std::int32_t>(graph.csr(), graph.weights.data(), true);
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
  const std::vector<std::unique_ptr<searches::NearFinder<std::int32_t>>> finders = [&] {
    std::vector<std::unique_ptr<searches::NearFinder<std::int32_t>>> made;
    made.push_back(searches::near_searches<std::int32_t>(graph.csr(), graph.weights.data(), random() % 2 == 0,
                                                         cost.data(), 1));
    made.push_back(
        label_correcting::near_lanes<std::int32_t>(graph.csr(), graph.weights.data(), cost.data(), 1));
    return made;
  }();
  for (const auto& finder : finders) {
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
    check_sums(graph, rows, sources, random);
  }
}
