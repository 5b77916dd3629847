// The row methods against Bellman-Ford on small random graphs, with every option, under the sanitizers.
#include <cstdint>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "bit_bfs/bit_bfs.hpp"
#include "facts/condensation.hpp"
#include "label_correcting/label_correcting.hpp"
#include "paths/next_hops.hpp"
#include "paths/verify.hpp"
#include "runtime/isa.hpp"
#include "searches/bfs.hpp"
#include "searches/dijkstra.hpp"
#include "searches/exact.hpp"
#include "searches/johnson.hpp"
#include "searches/potentials.hpp"
#include "searches/signed_floats.hpp"
#include "tests/check.hpp"
#include "tests/owned_sums.hpp"

namespace {

using namespace apsp;
using namespace apsp::bit_bfs;
using namespace apsp::facts;
using namespace apsp::graph;
using namespace apsp::label_correcting;
using namespace apsp::rows;
using namespace apsp::searches;
using namespace apsp::semiring;

constexpr std::int64_t kNone = INT64_MAX;

struct Sample {
  std::int64_t n;
  std::vector<std::int64_t> indptr;
  std::vector<std::int32_t> indices;
  std::vector<std::int64_t> weights;
  std::vector<std::uint8_t> zones;

  Csr csr() const {
    return {n, indptr.data(), indices.data(), static_cast<std::int64_t>(indices.size()),
            zones.empty() ? nullptr : zones.data()};
  }
};

Sample random_sample(std::mt19937_64& random, bool negative, std::int64_t high) {
  Sample sample;
  sample.n = static_cast<std::int64_t>(random() % 90);
  std::vector<std::int64_t> height(sample.n);
  for (auto& h : height) h = negative ? static_cast<std::int64_t>(random() % 100) : 0;
  if (random() % 3 == 0) {
    sample.zones.resize(sample.n);
    for (auto& zone : sample.zones) zone = random() % 4 == 0;
  }
  sample.indptr.push_back(0);
  for (std::int64_t u = 0; u < sample.n; ++u) {
    for (std::int32_t v = 0; v < sample.n; ++v) {
      if (random() % static_cast<std::uint64_t>(sample.n) > 3) continue;
      sample.indices.push_back(v);
      sample.weights.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high + 1)) +
                               height[u] - height[v]);
    }
    sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
  }
  return sample;
}

// Bellman-Ford from each source.
std::vector<std::int64_t> expected(const Sample& sample, const std::vector<std::int64_t>& weights) {
  std::vector<std::int64_t> dist(sample.n * sample.n, kNone);
  for (std::int64_t s = 0; s < sample.n; ++s) {
    std::int64_t* row = dist.data() + s * sample.n;
    row[s] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::int64_t u = 0; u < sample.n; ++u) {
        if (row[u] == kNone || (u != s && !sample.zones.empty() && sample.zones[u])) continue;
        for (std::int64_t a = sample.indptr[u]; a < sample.indptr[u + 1]; ++a)
          if (row[u] + weights[a] < row[sample.indices[a]]) {
            row[sample.indices[a]] = row[u] + weights[a];
            changed = true;
          }
      }
    }
  }
  return dist;
}

template <class T>
struct Output {
  std::vector<std::int32_t> sources, pred;
  std::vector<T> dist;
  RowRequest<T> request;

  explicit Output(std::int64_t n) : sources(n), pred(n * n, -7), dist(n * n, T{7}) {
    for (std::int64_t v = 0; v < n; ++v) sources[v] = static_cast<std::int32_t>(v);
    request.sources = sources.data();
    request.count = request.columns = request.dist_stride = request.pred_stride = n;
    request.dist = dist.data();
    request.pred = pred.data();
  }
};

template <class T>
void check_rows(const Sample& sample, const Output<T>& out, const std::vector<std::int64_t>& weights) {
  const auto truth = expected(sample, weights);
  for (std::size_t i = 0; i < truth.size(); ++i)
    CHECK(truth[i] == kNone ? out.dist[i] == kNoPath<T> : out.dist[i] == static_cast<T>(truth[i]));
  std::vector<paths::Weight<T>> lengths(weights.begin(), weights.end());
  paths::Claim<T> claim;
  claim.sources = out.sources.data();
  claim.rows = claim.dist_stride = claim.pred_stride = sample.n;
  claim.dist = out.dist.data();
  claim.pred = out.pred.data();
  Control control;
  CHECK(paths::verify_rows(sample.csr(), lengths.data(), claim, {}, 2, control).row == -1);
  std::vector<std::int32_t> hops(out.pred.size());
  paths::next_hops(out.pred.data(), sample.n, sample.n, sample.n, hops.data(), sample.n, 2, control);
  CHECK(control.done() == 2 * sample.n);
}

template <class T>
void check_dijkstra(const Sample& sample) {
  for (const QueueKind queue : {QueueKind::kHeap, QueueKind::kBuckets}) {
    Control control;
    Output<T> out(sample.n);
    const std::vector<T> weights(sample.weights.begin(), sample.weights.end());
    dijkstra_rows(sample.csr(), weights.data(), out.request, queue, 2, control);
    check_rows(sample, out, sample.weights);
    CHECK(control.done() == sample.n);
  }
}

// Sums of labels against those of rows.
template <class T>
void check_sums(const Output<T>& out, std::int64_t n, LabelSolver<T>& solver) {
  tests::OwnedSums found(n);
  Control control;
  solver.sums(out.request, found.view(), 2, control);
  CHECK(control.done() == n);
  for (std::int64_t u = 0; u < n; ++u) {
    std::int64_t seen = 0, sum = 0, last = u;
    const T* row = out.dist.data() + u * n;
    for (std::int64_t v = 0; v < n; ++v) {
      if (row[v] == kNoPath<T>) continue;
      ++seen;
      sum += row[v];
      if (row[v] > row[last] || (row[v] == row[last] && v < last)) last = v;
    }
    CHECK(found.reached[u] == seen && found.total[u] == sum);
    CHECK(found.largest[u] == row[last] && found.farthest[u] == last);
  }
}

template <class T>
void check_labels(const Sample& sample) {
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (isa > best_isa()) continue;
    set_isa(isa);
    Control control;
    Output<T> out(sample.n);
    const std::vector<T> weights(sample.weights.begin(), sample.weights.end());
    const auto solver = label_solver<T>(sample.csr(), weights.data());
    solver->rows(out.request, 2, control);
    check_rows(sample, out, sample.weights);
    CHECK(control.done() == sample.n);
    Output<T> distances(sample.n);  // without predecessors some rows follow from others
    distances.request.pred = nullptr;
    solver->rows(distances.request, 2, control);
    CHECK(distances.dist == out.dist);
    CHECK(control.done() == 2 * sample.n);
    if constexpr (std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int32_t>)
      check_sums(out, sample.n, *solver);
  }
}

// A circle, where searches start, and a path of `arcs` arcs: labels of one byte come into use in the circle,
// and are given up in a longer path.
template <class T>
void check_byte_labels(std::int64_t arcs) {
  constexpr std::int64_t kAround = 600, kReach = 9;
  Sample sample{kAround + arcs + 1, {0}, {}, {}, {}};
  const auto end_vertex = [&] { sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size())); };
  for (std::int64_t v = 0; v < kAround; ++v, end_vertex())
    for (std::int64_t step = 1; step <= kReach; ++step)
      for (const std::int64_t to : {v + step, v + kAround - step})
        sample.indices.push_back(static_cast<std::int32_t>(to % kAround));
  for (std::int64_t v = kAround; v < sample.n; ++v, end_vertex())
    if (v + 1 < sample.n) sample.indices.push_back(static_cast<std::int32_t>(v + 1));
  const std::vector<T> weights(sample.indices.size(), T{1});
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (isa > best_isa()) continue;
    set_isa(isa);
    const auto solver = label_solver<T>(sample.csr(), weights.data());
    Output<T> out(sample.n);
    out.request.pred = nullptr;
    Control control;
    solver->rows(out.request, 2, control);
    for (std::int64_t u = 0; u < sample.n; ++u)
      for (std::int64_t v = 0; v < sample.n; ++v) {
        const std::int64_t apart = u < v ? v - u : u - v;
        const std::int64_t around = (std::min(apart, kAround - apart) + kReach - 1) / kReach;
        const bool both = u < kAround && v < kAround, on_path = kAround <= u && u <= v;
        const T length = static_cast<T>(both ? around : apart);
        CHECK(out.dist[u * sample.n + v] == (both || on_path ? length : kNoPath<T>));
      }
    if constexpr (std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int32_t>)
      check_sums(out, sample.n, *label_solver<T>(sample.csr(), weights.data()));
  }
}

template <class T>
void check_bfs(const Sample& sample) {
  const std::vector<std::int64_t> ones(sample.weights.size(), 1);
  Control control;
  Output<T> out(sample.n);
  bfs_rows(sample.csr(), out.request, 2, control);
  check_rows(sample, out, ones);
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (isa > best_isa()) continue;
    set_isa(isa);
    Output<T> wide(sample.n);
    bit_bfs_rows(sample.csr(), wide.request, 2, control);
    check_rows(sample, wide, ones);
  }
}

void check_johnson(const Sample& sample) {
  Control control;
  Output<std::int32_t> narrow(sample.n);
  std::vector<std::int64_t> reduced(sample.weights.size()), height(sample.n);
  CHECK(potentials(sample.csr(), sample.weights.data(), reduced.data(), height.data(), control).empty());
  johnson_rows<std::int32_t, std::int64_t>(sample.csr(), reduced.data(), height.data(), narrow.request, 2,
                                           control);
  check_rows(sample, narrow, sample.weights);
  Output<std::int64_t> lanes(sample.n);
  label_solver<std::int64_t>(sample.csr(), reduced.data(), height.data())->rows(lanes.request, 2, control);
  check_rows(sample, lanes, sample.weights);
  Output<float> wide(sample.n);
  const std::vector<double> lengths(sample.weights.begin(), sample.weights.end());
  const auto floats = SignedFloats::make(sample.csr(), lengths.data(), 0.0, true, control);
  CHECK(floats->cycle().empty());
  floats->rows(wide.request, 2, control);
  check_rows(sample, wide, sample.weights);
}

void check_negative_cycle() {
  const Sample ring{3, {0, 1, 2, 3}, {1, 2, 0}, {4, -7, 2}, {}};
  std::vector<std::int64_t> reduced(3), height(3);
  Control control;
  const auto cycle = potentials(ring.csr(), ring.weights.data(), reduced.data(), height.data(), control);
  CHECK(cycle.size() == 3);
  const std::vector<double> lengths{4, -7, 3 - 1e-15};
  CHECK(!SignedFloats::make(ring.csr(), lengths.data(), 0.0, true, control)->cycle().empty());
  const auto forgiving = SignedFloats::make(ring.csr(), lengths.data(), 2.3e-16, true, control);
  CHECK(forgiving->cycle().empty() && forgiving->forgiving());
  CHECK(has_cancelling_cycle(ring.csr(), lengths.data(), 2.3e-16, control));
}

// The same chain of lengths times powers of two, so that every width of exact numbers is used: a path of two
// short arcs beside a longer arc, and an arc of the largest length.
void check_widths() {
  const Sample sample{6, {0, 2, 3, 3, 4, 5, 5}, {1, 2, 2, 4, 5}, {}, {}};
  for (const int exponent : {3, 50, 90, 300, 1000}) {
    const std::vector<double> lengths{1, 9, 1, std::ldexp(1.0, exponent), -0.5};
    Control control;
    const auto floats = SignedFloats::make(sample.csr(), lengths.data(), 2.3e-16, true, control);
    CHECK(floats->cycle().empty() && !floats->forgiving());
    Output<double> out(sample.n);
    floats->rows(out.request, 1, control);
    CHECK(out.dist[2] == 2);
    CHECK(out.dist[3 * 6 + 4] == std::ldexp(1.0, exponent));
    CHECK(out.dist[4 * 6 + 5] == -0.5);
  }
}

void check_fixed() {
  std::mt19937_64 random(5);
  for (int round = 0; round < 1000; ++round) {
    const auto a = static_cast<std::int64_t>(random()) >> (random() % 60),
               b = static_cast<std::int64_t>(random()) >> (random() % 60);
    const int shift = static_cast<int>(random() % 60);
    const Int128 wide = static_cast<Int128>(a) * (static_cast<Int128>(1) << shift) - b;
    const Fixed<8> fixed = (Fixed<8>(a) << shift) - Fixed<8>(b);
    CHECK((fixed < Fixed<8>(0)) == (wide < 0));
    CHECK(fixed.scaled(-7) == static_cast<double>(wide) * 0.0078125);
    CHECK(fixed + Fixed<8>(b) == Fixed<8>(a) << shift);
    CHECK((fixed < Fixed<8>(b)) == (wide < b));
  }
  CHECK(((Fixed<36>(-3) << 2000) + Fixed<36>(1)).scaled(-1999) == -6);
}

void check_chain() {
  const Sample path{3, {0, 1, 2, 2}, {1, 2}, {4, INT64_MAX - 2}, {}};
  const std::vector<std::int32_t> labels{2, 0, 1};
  const std::vector<std::int64_t> inner{1, 2, 3};
  CHECK(longest_chain(path.csr(), path.weights.data(), labels.data(), 3, inner.data()) == INT64_MAX);
}

void check_cancel() {
  std::mt19937_64 random(9);
  const Sample sample = random_sample(random, false, 50);
  Output<std::int64_t> out(sample.n);
  Control control;
  control.cancel();
  bool stopped = false;
  try {
    dijkstra_rows(sample.csr(), sample.weights.data(), out.request, QueueKind::kHeap, 2, control);
  } catch (const Cancelled&) {
    stopped = true;
  }
  CHECK(stopped || sample.n == 0);
}

}  // namespace

int main() {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    const std::int64_t high = std::vector<std::int64_t>{0, 1, 60, 500, 100'000}[round % 5];
    const Sample sample = random_sample(random, false, high);
    if (high < 600) check_dijkstra<std::uint16_t>(sample);
    if (high < 600) check_labels<std::uint16_t>(sample);
    check_labels<std::int32_t>(sample);
    check_labels<std::int64_t>(sample);
    check_labels<float>(sample);
    check_labels<double>(sample);
    check_dijkstra<std::int32_t>(sample);
    check_dijkstra<std::int64_t>(sample);
    check_dijkstra<float>(sample);
    check_dijkstra<double>(sample);
    check_bfs<std::uint16_t>(sample);
    check_bfs<double>(sample);
    check_johnson(sample);
    check_johnson(random_sample(random, true, high));
  }
  for (const std::int64_t arcs : {20, 253, 254, 300}) {
    check_byte_labels<std::uint16_t>(arcs);
    check_byte_labels<std::int32_t>(arcs);
  }
  check_negative_cycle();
  check_widths();
  check_fixed();
  check_chain();
  check_cancel();
}
