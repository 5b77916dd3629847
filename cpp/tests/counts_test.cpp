// Numbers of shortest paths, tied predecessors and flows, against sums over all tight arcs of small random
// graphs.
#include "flows/counts.hpp"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "flows/flows.hpp"
#include "semiring/length.hpp"
#include "tests/check.hpp"

namespace {

using namespace apsp;

constexpr std::int64_t kFar = std::numeric_limits<std::int32_t>::max();

struct Sample {
  std::int64_t n;
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices{};
  std::vector<std::int32_t> weights{};
  std::vector<std::uint8_t> zones{};

  graph::Csr csr() const {
    graph::Csr csr{n, indptr.data(), indices.data(), static_cast<std::int64_t>(indices.size())};
    csr.zones = zones.data();
    return csr;
  }
};

Sample random_graph(std::mt19937& random, std::int32_t longest) {
  Sample sample{static_cast<std::int64_t>(random() % 90 + 1)};
  for (std::int64_t u = 0; u < sample.n; ++u) {
    for (std::int32_t v = 0; v < sample.n; ++v)
      if (random() % static_cast<unsigned>(sample.n) < 4) {
        sample.indices.push_back(v);
        sample.weights.push_back(static_cast<std::int32_t>(random()) % longest);
        if (sample.weights.back() < 0) sample.weights.back() = -sample.weights.back();
        sample.weights.back() += 1;
      }
    sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
    sample.zones.push_back(random() % 8 == 0);
  }
  return sample;
}

// Distances from a source by relaxation until nothing changes.
std::vector<std::int64_t> distances(const Sample& sample, std::int64_t source) {
  std::vector<std::int64_t> dist(sample.n, kFar);
  dist[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t u = 0; u < sample.n; ++u)
      for (std::int64_t a = sample.indptr[u]; a < sample.indptr[u + 1]; ++a) {
        if (dist[u] == kFar || (sample.zones[u] != 0 && u != source)) continue;
        std::int64_t& head = dist[sample.indices[a]];
        if (dist[u] + sample.weights[a] >= head) continue;
        head = dist[u] + sample.weights[a];
        changed = true;
      }
  }
  return dist;
}

// Paths from a source; those before a vertex are found first, however the vertices are numbered.
double paths_to(const Sample& sample, const std::vector<std::vector<std::int32_t>>& before,
                std::vector<double>& known, std::int64_t v) {
  if (known[v] < 0) {
    known[v] = 0;
    for (const std::int32_t u : before[v]) known[v] += paths_to(sample, before, known, u);
  }
  return known[v];
}

void check_row(const Sample& sample, std::int32_t source, std::int64_t cutoff, const double* counts) {
  const std::vector<std::int64_t> dist = distances(sample, source);
  std::vector<std::vector<std::int32_t>> before(sample.n);
  for (std::int32_t u = 0; u < sample.n; ++u)
    for (std::int64_t a = sample.indptr[u]; a < sample.indptr[u + 1]; ++a)
      if (dist[u] != kFar && (sample.zones[u] == 0 || u == source) &&
          dist[u] + sample.weights[a] == dist[sample.indices[a]])
        before[sample.indices[a]].push_back(u);
  std::vector<double> known(sample.n, -1);
  known[source] = 1;
  Control control;
  const auto [start, tails] = flows::tied_predecessors<std::int32_t>(
      sample.csr(), sample.weights.data(), source, semiring::kNoPath<std::int32_t>, control);
  for (std::int64_t v = 0; v < sample.n; ++v) {
    const double wanted = dist[v] <= cutoff ? paths_to(sample, before, known, v) : 0;
    CHECK(counts[v] == wanted);
    CHECK(std::vector<std::int32_t>(tails.begin() + start[v], tails.begin() + start[v + 1]) == before[v]);
  }
}

void check_graph(const Sample& sample, bool in_hops, std::int64_t cutoff, int threads) {
  std::vector<std::int32_t> sources;
  for (std::int32_t v = 0; v < sample.n; ++v) sources.push_back(v);
  std::vector<double> rows(sample.n * sample.n, -1);
  const flows::Counts<double> counts{.sources = sources.data(),
                                     .count = sample.n,
                                     .columns = sample.n,
                                     .paths = rows.data(),
                                     .stride = sample.n};
  Control control;
  if (in_hops)
    flows::counts_by_hops(sample.csr(), cutoff, counts, threads, control);
  else
    flows::counts_by_length<std::int32_t>(sample.csr(), sample.weights.data(), nullptr,
                                          static_cast<std::int32_t>(cutoff), counts, threads, control);
  for (const std::int32_t v : sources) check_row(sample, v, cutoff, &rows[v * sample.n]);
}

// What leaves the sources arrives, along both kinds of searches.
void check_flows(const Sample& sample, int threads) {
  std::vector<std::int32_t> sources;
  for (std::int32_t v = 0; v < sample.n; ++v) sources.push_back(v);
  const std::vector<double> ones(sample.n, 1);
  std::vector<double> all[2];
  for (int kind = 0; kind < 2; ++kind) {
    std::vector<double> through(sample.n), arrived(sample.n), served(sample.n), along(sample.indices.size());
    flows::Demand demand;
    demand.sources = sources.data();
    demand.count = sample.n;
    demand.to = ones.data();
    const flows::Flows out{through.data(), arrived.data(), served.data(), along.data()};
    Control control;
    if (kind == 0)
      flows::flows_by_hops(sample.csr(), demand, sample.n, out, threads, control);
    else
      flows::flows_by_length<std::int32_t>(sample.csr(), sample.weights.data(), nullptr, demand,
                                           semiring::kNoPath<std::int32_t>, flows::Ties::kSplit, out, threads,
                                           control);
    for (const auto* part : {&through, &arrived, &served, &along})
      all[kind].insert(all[kind].end(), part->begin(), part->end());
  }
  for (std::size_t i = 0; i < all[0].size(); ++i) {
    const double difference = all[0][i] - all[1][i];
    CHECK(difference < 1e-9 && difference > -1e-9);
  }
}

// Lengths that rounding hides are refused.
void check_lost_length() {
  const std::vector<std::int64_t> indptr{0, 1, 3, 4};
  const std::vector<std::int32_t> indices{1, 0, 2, 1};
  const std::vector<double> weights{1e30, 1e30, 1, 1};
  const graph::Csr csr{3, indptr.data(), indices.data(), 4};
  const std::int32_t source = 0;
  double row[3];
  const flows::Counts<double> counts{.sources = &source, .count = 1, .columns = 3, .paths = row, .stride = 3};
  Control control;
  bool refused = false;
  try {
    flows::counts_by_length<double>(csr, weights.data(), nullptr, semiring::kNoPath<double>, counts, 1,
                                    control);
  } catch (const flows::LostLength& error) {
    refused = error.tail == 2 && error.head == 1;
  }
  CHECK(refused);
}

}  // namespace

int main() {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    const std::int32_t longest = round % 2 == 0 ? 1 : 3;
    const Sample sample = random_graph(random, longest);
    const std::int64_t cutoff = round % 3 == 0 ? 4 : kFar - 1;
    check_graph(sample, longest == 1, cutoff, 1 + round % 3);
    if (longest == 1) check_flows(sample, 1 + round % 3);
  }
  check_lost_length();
}
