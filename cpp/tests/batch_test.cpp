// Many graphs at once against one at a time, on every instruction set.
#include "batch/batch.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "floyd_warshall/floyd_warshall.hpp"
#include "runtime/isa.hpp"
#include "tests/check.hpp"

using namespace apsp;
using namespace apsp::batch;
using namespace apsp::floyd_warshall;
using namespace apsp::graph;
using namespace apsp::semiring;

namespace {

template <class T>
std::vector<T> random_lengths(std::int64_t count, std::int64_t stride, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(static_cast<std::size_t>(count * stride));
  for (T& value : values) value = random() % 4 == 0 ? static_cast<T>(1 + random() % 50) : largest_value<T>();
  return values;
}

// The three-line algorithm on public values.
template <class T>
std::vector<std::int64_t> oracle(const T* from, std::int64_t row_stride, std::int64_t size) {
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  std::vector<std::int64_t> dist(static_cast<std::size_t>(size * size));
  for (std::int64_t i = 0; i < size; ++i)
    for (std::int64_t j = 0; j < size; ++j) {
      const T value = from[i * row_stride + j];
      dist[i * size + j] = i == j ? 0 : value == largest_value<T>() ? kFar : static_cast<std::int64_t>(value);
    }
  for (std::int64_t k = 0; k < size; ++k)
    for (std::int64_t i = 0; i < size; ++i)
      for (std::int64_t j = 0; j < size; ++j)
        dist[i * size + j] = std::min(dist[i * size + j], dist[i * size + k] + dist[k * size + j]);
  return dist;
}

template <class T>
void check_batch(std::int64_t n, int threads) {
  const std::int64_t row = n + 3, stride = n * row + 5;
  const std::vector<std::int32_t> sizes{0, 1, static_cast<std::int32_t>(n / 2), static_cast<std::int32_t>(n)};
  const auto count = static_cast<std::int64_t>(sizes.size());
  const auto from = random_lengths<T>(count, stride, static_cast<unsigned>(n));
  std::vector<T> to(from.size(), T{7});
  std::vector<std::int32_t> status(sizes.size());
  Team team(threads);
  Control control;
  close_batch<T>({from.data(), count, n, stride, row}, {to.data(), count, n, stride, row}, sizes.data(),
                 Algebra::kMinPlus, T{60}, status.data(), team, control);
  CHECK(control.done() == count);
  for (std::int64_t graph = 0; graph < count; ++graph) {
    const std::int64_t size = sizes[static_cast<std::size_t>(graph)];
    const auto expected = oracle(from.data() + graph * stride, row, size);
    CHECK(status[static_cast<std::size_t>(graph)] == kSound);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < row; ++j) {
        const T found = to[static_cast<std::size_t>(graph * stride + i * row + j)];
        if (j >= n) {
          CHECK(found == T{7});
        } else if (i >= size || j >= size || expected[i * size + j] > 1000000) {
          CHECK(found == largest_value<T>());
        } else {
          CHECK(found == static_cast<T>(expected[i * size + j]));
        }
      }
    }
  }
}

// Predecessors: each chain leads to its source along arcs, and its length is the distance.
template <class T>
void check_tracked(std::int64_t n, int threads) {
  const std::int64_t row = n + 2, stride = n * row + 3, count = 3;
  auto from = random_lengths<T>(count, stride, static_cast<unsigned>(n + 1));
  for (T& value : from) value = value <= T{10} ? T{0} : value;  // many arcs and cycles of length zero
  std::vector<T> to(from.size(), T{7});
  std::vector<std::int32_t> pred(from.size(), -7), status(static_cast<std::size_t>(count));
  Team team(threads);
  Control control;
  close_batch_tracked<T>({from.data(), count, n, stride, row}, {to.data(), count, n, stride, row},
                         {pred.data(), count, n, stride, row}, nullptr, Algebra::kMinPlus, T{60},
                         status.data(), team, control);
  for (std::int64_t graph = 0; graph < count; ++graph) {
    const T* lengths = from.data() + graph * stride;
    const auto expected = oracle(lengths, row, n);
    CHECK(status[static_cast<std::size_t>(graph)] == kSound);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int32_t* before = pred.data() + graph * stride + i * row;
      CHECK(before[n] == -7);
      for (std::int64_t j = 0; j < n; ++j) {
        const bool has_path = expected[i * n + j] <= 1000000;
        CHECK(to[static_cast<std::size_t>(graph * stride + i * row + j)] ==
              (has_path ? static_cast<T>(expected[i * n + j]) : largest_value<T>()));
        CHECK((before[j] >= 0) == (has_path && i != j));
        std::int64_t length = 0, steps = 0;
        for (std::int64_t v = j; before[v] >= 0 && steps <= n; v = before[v], ++steps)
          length += static_cast<std::int64_t>(lengths[before[v] * row + v]);
        CHECK(steps < n);
        CHECK(!has_path || length == expected[i * n + j]);
      }
    }
  }
}

void check_statuses() {
  constexpr float kNone = std::numeric_limits<float>::infinity();
  std::vector<float> values(4 * 9, kNone), to(values.size());
  values[0 * 9 + 1] = 1.0F;
  values[1 * 9 + 5] = std::numeric_limits<float>::quiet_NaN();
  values[2 * 9 + 1] = 60.5F;
  values[3 * 9 + 1] = 1.0F;
  values[3 * 9 + 3] = -2.0F;
  std::vector<std::int32_t> status(4);
  Team team(2);
  Control control;
  close_batch<float>({values.data(), 4, 3, 9, 3}, {to.data(), 4, 3, 9, 3}, nullptr, Algebra::kMinPlus, 60.0F,
                     status.data(), team, control);
  CHECK(status[0] == kSound);
  CHECK(status[1] == kNoNumber);
  CHECK(status[2] == kOutOfRange);
  CHECK(status[3] == kUnproven);  // exact sums decide on negative cycles of floats
  std::vector<std::int32_t> lengths(9, std::numeric_limits<std::int32_t>::max()), distances(9);
  lengths[1] = 1;
  lengths[3] = -2;
  close_batch<std::int32_t>({lengths.data(), 1, 3, 9, 3}, {distances.data(), 1, 3, 9, 3}, nullptr,
                            Algebra::kMinPlus, 60, status.data(), team, control);
  CHECK(status[0] == 1);
}

}  // namespace

int main() {
  for (const Isa wanted : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (wanted > best_isa()) continue;
    set_isa(wanted);
    for (const std::int64_t n : {1, 2, 17, 64, 128, 129, 150}) {
      check_batch<std::uint16_t>(n, 2);
      check_batch<std::int32_t>(n, 1);
      check_batch<std::int64_t>(n, 3);
      check_batch<float>(n, 2);
      check_batch<double>(n, 1);
    }
    for (const std::int64_t n : {1, 2, 17, 64, 128, 129, 150}) {
      check_tracked<std::uint16_t>(n, 1);
      check_tracked<std::int32_t>(n, 2);
      check_tracked<std::int64_t>(n, 1);
      check_tracked<float>(n, 3);
      check_tracked<double>(n, 2);
    }
    check_statuses();
  }
}
