// Blocked Floyd-Warshall and its predecessors against the three-line algorithm, on every instruction set.
#include "floyd_warshall/floyd_warshall.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

#include "floyd_warshall/variants.hpp"
#include "paths/predecessors.hpp"
#include "runtime/isa.hpp"
#include "tests/check.hpp"

using namespace apsp;
using namespace apsp::floyd_warshall;
using namespace apsp::graph;
using namespace apsp::paths;
using namespace apsp::semiring;

namespace {

struct Graph {
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices, weights;

  WeightedArcs arcs() const {
    return {static_cast<std::int64_t>(indptr.size()) - 1, indptr.data(), indices.data(), weights.data(),
            WeightType::kInt32};
  }
};

// Potential differences make arcs negative, but no cycle.
Graph random_graph(int n, double density, int low, int height, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> potential(static_cast<std::size_t>(n));
  for (int& value : potential)
    value = height > 0 ? static_cast<int>(random() % static_cast<unsigned>(height)) : 0;
  Graph graph;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int weight = low + static_cast<int>(random() % 50);
      if (random() % 1000 >= density * 1000) continue;
      graph.indices.push_back(j);
      graph.weights.push_back(weight + potential[i] - potential[j]);
    }
    graph.indptr.push_back(static_cast<std::int64_t>(graph.indices.size()));
  }
  return graph;
}

constexpr std::int64_t kFar = std::int64_t{1} << 60;

std::vector<std::int64_t> oracle(const Graph& graph) {
  const auto n = static_cast<std::int64_t>(graph.indptr.size()) - 1;
  std::vector<std::int64_t> dist(static_cast<std::size_t>(n * n), kFar);
  for (std::int64_t i = 0; i < n; ++i) {
    dist[i * n + i] = 0;
    for (std::int64_t arc = graph.indptr[i]; arc < graph.indptr[i + 1]; ++arc) {
      std::int64_t& at = dist[i * n + graph.indices[arc]];
      at = std::min<std::int64_t>(at, graph.weights[arc]);
    }
  }
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        if (dist[i * n + k] != kFar && dist[k * n + j] != kFar)
          dist[i * n + j] = std::min(dist[i * n + j], dist[i * n + k] + dist[k * n + j]);
  return dist;
}

void check_predecessors(const Graph& graph, const std::vector<std::int64_t>& dist,
                        const std::vector<std::int32_t>& pred) {
  const auto n = static_cast<std::int64_t>(graph.indptr.size()) - 1;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      if (i == j || dist[i * n + j] == kFar) {
        CHECK(pred[i * n + j] == -1);
        continue;
      }
      std::int64_t vertex = j, length = 0;
      for (std::int64_t steps = 0; vertex != i; ++steps) {
        CHECK(steps < n);
        const std::int64_t before = pred[i * n + vertex];
        CHECK(before >= 0);
        const auto first = graph.indices.begin() + graph.indptr[before],
                   last = graph.indices.begin() + graph.indptr[before + 1];
        const auto found = std::lower_bound(first, last, vertex);
        CHECK(found != last && *found == vertex);
        length += graph.weights[static_cast<std::size_t>(found - graph.indices.begin())];
        vertex = before;
      }
      CHECK(length == dist[i * n + j]);
    }
  }
}

template <class T>
void check_closed(const Graph& graph, bool nonnegative, int threads, std::int64_t padding,
                  const Kernels<T>& kernels) {
  const WeightedArcs arcs = graph.arcs();
  const std::int64_t n = arcs.n, stride = n + padding;
  const auto expected = oracle(graph);
  std::vector<T> values(static_cast<std::size_t>(n * stride), T{7});
  const Matrix<T> matrix{values.data(), n, n, stride};
  Team team(threads);
  Control control;
  fill(matrix, 0, 0, arcs, Algebra::kMinPlus, nullptr, team, control);
  const std::int64_t bad = close(matrix, kernels, team, control);
  CHECK(bad == -1);
  CHECK(control.done() == n);
  CHECK(finish(matrix, Algebra::kMinPlus, nonnegative, team, control));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t want = expected[i * n + j];
      CHECK(matrix.row(i)[j] == (want == kFar ? largest_value<T>() : static_cast<T>(want)));
    }
    for (std::int64_t j = n; j < stride; ++j) CHECK(matrix.row(i)[j] == T{7});
  }
  std::vector<std::int32_t> pred(static_cast<std::size_t>(n * n));
  predecessors(matrix, Matrix<std::int32_t>{pred.data(), n, n, n}, arcs, Algebra::kMinPlus, nonnegative,
               nullptr, team, control);
  check_predecessors(graph, expected, pred);
}

// With all kernels for such values.
template <class T>
void check_closed(const Graph& graph, bool nonnegative, int threads, std::int64_t padding) {
  for (const Variant<T>& each : variants<T>(Algebra::kMinPlus, {nonnegative, nonnegative})) {
    CHECK(&variant<T>(Algebra::kMinPlus, {nonnegative, nonnegative}, each.name) == each.kernels);
    check_closed<T>(graph, nonnegative, threads, padding, *each.kernels);
  }
}

void check_all(int n, double density) {
  const auto seed = static_cast<unsigned>(n);
  const Graph positive = random_graph(n, density, 1, 0, seed),
              zeros = random_graph(n, density, 0, 0, seed + 1);
  for (const Graph* graph : {&positive, &zeros}) {
    check_closed<std::uint16_t>(*graph, true, 2, 3);
    check_closed<std::int32_t>(*graph, true, 1, 0);
    check_closed<std::int64_t>(*graph, true, 2, 1);
    check_closed<float>(*graph, true, 3, 5);
    check_closed<double>(*graph, true, 2, 0);
  }
  const Graph negative = random_graph(n, density, 0, 60, seed + 2);
  check_closed<std::int32_t>(negative, false, 2, 0);
  check_closed<std::int64_t>(negative, false, 2, 2);
  check_closed<float>(negative, false, 2, 0);
  check_closed<double>(negative, false, 2, 0);
}

void check_negative_cycle() {
  std::vector<std::int32_t> values(200 * 200, Bounds<std::int32_t>::kNoPath);
  const Matrix<std::int32_t> matrix{values.data(), 200, 200, 200};
  for (int i = 0; i < 200; ++i) matrix.row(i)[i] = 0;
  matrix.row(150)[160] = 4;
  matrix.row(160)[150] = -5;
  Team team(2);
  Control control;
  CHECK(close(matrix, kernels<std::int32_t>(Algebra::kMinPlus, false), team, control) == 160);
}

void check_preference() {
  const Proven proven{true, true};
  for (const auto& each : variants<std::uint16_t>(Algebra::kMinPlus, proven)) {
    CHECK(rate(*each.kernels, 1e-4) > 0);
    prefer(proven, *each.kernels);
    CHECK(&kernels<std::uint16_t>(Algebra::kMinPlus, proven) == each.kernels);
    CHECK(kernels<std::uint16_t>(Algebra::kMinPlus, true).arithmetic == Arithmetic::kAny);
  }
  for (const auto& each : variants<float>(Algebra::kMinPlus, true)) {
    prefer(true, *each.kernels);
    CHECK(&kernels<float>(Algebra::kMinPlus, {true, true}) == each.kernels);  // no matter for floats
  }
  bool refused = false;
  try {
    variant<std::uint16_t>(Algebra::kMinPlus, true, "half range");
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
}

void check_rectangles_and_refusals() {
  std::vector<float> a(30 * 40, 2.0F), b(40 * 50, 3.0F), c(30 * 50, 9.0F);
  a[5 * 40 + 7] = 1.0F;
  Team team(2);
  Control control;
  const auto& kernel = kernels<float>(Algebra::kMinPlus, true);
  update(Matrix<float>{c.data(), 30, 50, 50}, Matrix<float>{a.data(), 30, 40, 40},
         Matrix<float>{b.data(), 40, 50, 50}, kernel, team, control);
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 50; ++j) CHECK(c[static_cast<std::size_t>(i * 50 + j)] == (i == 5 ? 4.0F : 5.0F));
  bool refused = false;
  try {
    update(Matrix<float>{c.data(), 30, 50, 50}, Matrix<float>{a.data(), 30, 40, 40},
           Matrix<float>{b.data(), 30, 50, 50}, kernel, team, control);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
  control.cancel();
  bool cancelled = false;
  try {
    close(Matrix<float>{c.data(), 30, 30, 50}, kernel, team, control);
    std::vector<float> large(300 * 300, 1.0F);
    close(Matrix<float>{large.data(), 300, 300, 300}, kernel, team, control);
  } catch (const Cancelled&) {
    cancelled = true;
  }
  CHECK(cancelled);
}

}  // namespace

int main() {
  for (const Isa wanted : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (wanted > best_isa()) continue;
    set_isa(wanted);
    for (const int n : {0, 1, 2, 17, 63, 65, 129, 150}) check_all(n, n < 64 ? 0.3 : 0.04);
    check_all(70, 1.0);
    check_negative_cycle();
    check_preference();
    check_rectangles_and_refusals();
  }
}
