// The reducers on small matrices, compared with plain sums.
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "check.hpp"
#include "reductions/forest_sums.hpp"
#include "reductions/nearest.hpp"
#include "reductions/rows.hpp"
#include "runtime/isa.hpp"

using namespace apsp;
using namespace apsp::reductions;

namespace {

template <class T>
constexpr T kNone =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();

template <class T>
std::vector<T> matrix(std::int64_t n, std::int64_t stride) {
  std::vector<T> dist(static_cast<std::size_t>(n * stride), static_cast<T>(1));
  std::uint32_t state = 12345;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      state = state * 1664525u + 1013904223u;
      const std::uint32_t value = state >> 20;
      dist[static_cast<std::size_t>(i * stride + j)] =
          i == j ? T{0} : (value % 7 == 0 ? kNone<T> : static_cast<T>(value));
    }
  return dist;
}

template <class T>
void check_rows(std::int64_t n, int threads) {
  const std::int64_t stride = n + 3;
  const auto dist = matrix<T>(n, stride);
  const DistanceRows<T> rows{dist.data(), n, n, stride};
  std::vector<RowNumbers<T>> numbers(static_cast<std::size_t>(n)), without(numbers.size());
  Histogram histogram(10, std::numeric_limits<T>::is_integer);
  Control control, other_control;
  reduce_rows<T>(rows, without.data(), false, nullptr, threads, other_control);
  reduce_rows<T>(rows, numbers.data(), true, &histogram, threads, control);
  std::int64_t all = 0, counted = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t reachable = 0, farthest = -1;
    double sum = 0, reciprocals = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const T value = dist[static_cast<std::size_t>(i * stride + j)];
      if (value == kNone<T>) continue;
      ++reachable;
      sum += static_cast<double>(value);
      reciprocals += value != T{0} ? 1 / static_cast<double>(value) : 0;
      if (farthest < 0 || value > dist[static_cast<std::size_t>(i * stride + farthest)]) farthest = j;
    }
    const auto& row = numbers[static_cast<std::size_t>(i)];
    CHECK(row.reachable == reachable);
    CHECK(row.farthest == farthest);
    CHECK(static_cast<double>(row.sum) == sum);  // small whole numbers: exact in every type
    CHECK(std::fabs(row.reciprocals - reciprocals) <= 1e-12 * reciprocals);
    const auto& other = without[static_cast<std::size_t>(i)];
    CHECK(other.reachable == reachable && other.farthest == farthest && other.sum == row.sum);
    CHECK(other.largest == row.largest && other.least == row.least && other.reciprocals == 0);
    all += reachable;
  }
  for (const std::int64_t count : histogram.counts()) counted += count;
  CHECK(counted == all);
  CHECK(control.done() == n);
}

template <class T>
void check_columns(std::int64_t n) {
  const auto dist = matrix<T>(n, n);
  const auto size = static_cast<std::size_t>(n);
  std::vector<std::int64_t> reachable(size);
  std::vector<Sum<T>> sum(size);
  std::vector<double> sum_error(size), reciprocals(size), reciprocals_error(size);
  Control control;
  reduce_columns<T>(
      {dist.data(), n, n, n},
      {reachable.data(), sum.data(), sum_error.data(), reciprocals.data(), reciprocals_error.data()}, 2,
      control);
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t count = 0;
    double expected = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const T value = dist[static_cast<std::size_t>(i * n + j)];
      if (value != kNone<T>) ++count, expected += static_cast<double>(value);
    }
    CHECK(reachable[static_cast<std::size_t>(j)] == count);
    CHECK(static_cast<double>(sum[static_cast<std::size_t>(j)]) == expected);
  }
}

template <class T>
void check_nearest() {
  const std::vector<T> row{5, 0, 2, kNone<T>, 2, 9};
  const std::int32_t source = 1;
  std::vector<std::int32_t> columns(6);
  std::vector<T> distances(6);
  Control control;
  nearest<T>({row.data(), 1, 6, 6}, &source, 6, columns.data(), distances.data(), 1, control);
  CHECK((columns == std::vector<std::int32_t>{2, 4, 0, 5, -1, -1}));
  CHECK((distances == std::vector<T>{2, 2, 5, 9, kNone<T>, kNone<T>}));
}

template <class T>
void check_all() {
  for (const std::int64_t n : {0, 1, 2, 31, 65, 700})
    for (const int threads : {1, 2}) check_rows<T>(n, threads);
  for (const std::int64_t n : {1, 65, 700}) check_columns<T>(n);
  check_nearest<T>();
}

void check_histogram() {
  Histogram histogram(4, true);
  histogram.cover(0, 3);
  CHECK(histogram.exponent() == 0);
  histogram.data()[4 + 3] = 2;
  histogram.cover(-9, 3);
  CHECK(histogram.exponent() == 2);  // -9 >> 2 == -3
  CHECK(histogram.counts()[4] == 2);
  Histogram extreme(1, false);
  extreme.cover(-1.7e308, 1.7e308);
  CHECK(extreme.exponent() == 1024);
  Histogram tiny(8, false);
  tiny.cover(0, std::numeric_limits<double>::denorm_min());
  CHECK(tiny.exponent() == -1074);
  tiny.cover(0, std::numeric_limits<double>::quiet_NaN());
  tiny.merge(extreme.bins() == tiny.bins() ? extreme : Histogram(8, false));
  Histogram wide(1, true);
  wide.cover(-9223372036854775808.0, 9223372036854775807.0);
  CHECK(wide.exponent() == 64 || wide.exponent() == 63);
}

// A forest, in which every vertex but a root has a smaller parent; with `cycle`, one more edge.
void check_forest(std::int64_t n, std::int64_t roots, bool cycle) {
  std::vector<std::vector<std::int64_t>> dist(n, std::vector<std::int64_t>(n, kNone<std::int64_t>));
  std::vector<std::vector<std::pair<std::int32_t, std::int64_t>>> arcs(n);
  const auto join = [&](std::int64_t u, std::int64_t v, std::int64_t length) {
    arcs[u].emplace_back(static_cast<std::int32_t>(v), length);
    arcs[v].emplace_back(static_cast<std::int32_t>(u), length);
  };
  for (std::int64_t v = 0; v < n; ++v) {
    if (v >= roots) {
      const std::int64_t parent = v * v % 7919 % v, length = v % 4;
      join(parent, v, length);
      for (std::int64_t u = 0; u < v; ++u)
        if (dist[parent][u] != kNone<std::int64_t>) dist[v][u] = dist[u][v] = dist[parent][u] + length;
    }
    dist[v][v] = 0;
  }
  if (cycle) join(n - 1, 0, 1);
  std::vector<std::int64_t> indptr{0}, lengths, reached(n), total(n), largest(n);
  std::vector<std::int32_t> indices, farthest(n);
  for (const auto& row : arcs) {
    for (const auto& [head, length] : row) {
      indices.push_back(head);
      lengths.push_back(length);
    }
    indptr.push_back(static_cast<std::int64_t>(indices.size()));
  }
  const graph::Csr graph{n, indptr.data(), indices.data(), static_cast<std::int64_t>(indices.size())};
  Control control;
  const ForestSums sums{reached.data(), total.data(), largest.data(), farthest.data()};
  CHECK(forest_sums(graph, lengths.data(), sums, control) != cycle);
  for (std::int64_t v = 0; v < n && !cycle; ++v) {
    std::int64_t count = 0, sum = 0, far = -1, most = -1;
    for (std::int64_t u = 0; u < n; ++u) {
      if (dist[v][u] == kNone<std::int64_t>) continue;
      ++count;
      sum += dist[v][u];
      if (dist[v][u] > most) most = dist[v][u], far = u;
    }
    CHECK(reached[v] == count && total[v] == sum && largest[v] == most && farthest[v] == far);
  }
}

}  // namespace

int main() {
  for (const std::int64_t n : {1, 2, 3, 50, 200}) {
    check_forest(n, 1, false);
    check_forest(n, n / 5 + 1, false);
    if (n > 3) check_forest(n, 1, true);
  }
  check_all<float>();
  check_all<double>();
  check_all<std::int32_t>();
  check_all<std::int64_t>();
  check_all<std::uint16_t>();
  check_histogram();
}
