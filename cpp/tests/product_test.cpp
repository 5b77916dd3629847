// Products over semirings against three loops, on every instruction set.
#include "product/product.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <vector>

#include "runtime/isa.hpp"
#include "tests/check.hpp"

using namespace apsp;
using namespace apsp::product;

namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 60;

bool is_largest(Semiring semiring) { return semiring == Semiring::kMaxPlus || semiring == Semiring::kMaxMin; }

template <class T>
T none_of(Semiring semiring) {
  return is_largest(semiring) ? semiring::smallest_value<T>() : semiring::largest_value<T>();
}

// Matrices with gaps between rows and between each other.
template <class T>
struct Stored {
  std::int64_t rows, columns;
  std::vector<T> values;
  std::vector<std::int64_t> offsets;

  Stored(std::int64_t count, std::int64_t rows_, std::int64_t columns_) : rows(rows_), columns(columns_) {
    values.resize(static_cast<std::size_t>(count * (rows * (columns + 3) + 5)), T{7});
    for (std::int64_t index = 0; index < count; ++index)
      offsets.push_back(index * (rows * (columns + 3) + 5));
  }
  template <class As>
  Matrices<As> view() {
    return {values.data(), offsets, rows, columns, columns + 3};
  }
  T& at(std::int64_t matrix, std::int64_t i, std::int64_t j) {
    return values[static_cast<std::size_t>(offsets[static_cast<std::size_t>(matrix)] + i * (columns + 3) +
                                           j)];
  }
};

template <class T>
std::int64_t joined(T a, T b, Semiring semiring) {
  const T none = none_of<T>(semiring);
  if (a == none || b == none) return is_largest(semiring) ? -kFar : kFar;
  const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
  if (semiring == Semiring::kMaxMin) return std::min(x, y);
  return semiring == Semiring::kMinMax ? std::max(x, y) : x + y;
}

template <class T>
void check_products(Semiring semiring, std::int64_t count, std::int64_t m, std::int64_t k, std::int64_t n,
                    int threads) {
  std::mt19937 random(static_cast<unsigned>(m + 3 * k));
  Stored<T> a(count, m, k), b(1, k, n), c(count, m, n);
  Stored<std::int32_t> via(count, m, n);
  b.offsets.assign(static_cast<std::size_t>(count), 0);  // one for all
  for (auto* values : {&a.values, &b.values})
    for (T& value : *values)
      value = random() % 3 == 0 ? none_of<T>(semiring) : static_cast<T>(static_cast<int>(random() % 20));
  Team team(threads);
  Control control;
  const auto left = a.template view<const T>(), right = b.template view<const T>();
  const auto result = c.template view<T>();
  const auto pivots = via.view<std::int32_t>();
  const Entries<T> found = entries<T>(left, semiring, team, control);
  CHECK(found.numbers && found.low >= T{0} && found.high < T{20});
  for (const bool with_pivots : {false, true}) {
    const auto& kernels =
        floyd_warshall::kernels<T>(algebra_of(semiring), {semiring == Semiring::kMinPlus, true});
    multiply<T>(left, right, result, with_pivots ? &pivots : nullptr, semiring, kernels, team, control);
    for (std::int64_t matrix = 0; matrix < count; ++matrix)
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          std::int64_t best = is_largest(semiring) ? -kFar : kFar;
          std::int32_t first = -1;
          for (std::int64_t pivot = 0; pivot < k; ++pivot) {
            const std::int64_t value = joined(a.at(matrix, i, pivot), b.at(0, pivot, j), semiring);
            if (is_largest(semiring) ? value > best : value < best) {
              best = value;
              first = static_cast<std::int32_t>(pivot);
            }
          }
          CHECK(c.at(matrix, i, j) == (first < 0 ? none_of<T>(semiring) : static_cast<T>(best)));
          if (with_pivots) CHECK(via.at(matrix, i, j) == first);
        }
  }
  for (std::int64_t matrix = 0; matrix < count; ++matrix) CHECK(c.at(matrix, m - 1, n) == T{7});  // the gap
  CHECK(control.done() == 2 * count);
}

void check_bits(std::int64_t count, std::int64_t m, std::int64_t k, std::int64_t n, int threads) {
  std::mt19937 random(5);
  const auto size = [](std::int64_t entries) { return static_cast<std::size_t>(entries); };
  std::vector<std::int64_t> of_a, of_b, of_c;
  for (std::int64_t index = 0; index < count; ++index) {
    of_a.push_back(index * m * k);
    of_b.push_back(index * k * n);
    of_c.push_back(index * m * n);
  }
  const auto a = std::make_unique<bool[]>(size(count * m * k)),
             b = std::make_unique<bool[]>(size(count * k * n)),
             c = std::make_unique<bool[]>(size(count * m * n));
  std::vector<std::int32_t> via(size(count * m * n));
  for (std::int64_t index = 0; index < count * m * k; ++index) a[size(index)] = random() % 8 == 0;
  for (std::int64_t index = 0; index < count * k * n; ++index) b[size(index)] = random() % 8 == 0;
  const Matrices<std::int32_t> pivots{via.data(), of_c, m, n, n};
  Team team(threads);
  Control control;
  for (const bool with_pivots : {false, true}) {
    multiply_bits({a.get(), of_a, m, k, k}, {b.get(), of_b, k, n, n}, {c.get(), of_c, m, n, n},
                  with_pivots ? &pivots : nullptr, team, control);
    for (std::int64_t index = 0; index < count * m * n; ++index) {
      const std::int64_t matrix = index / (m * n), i = index / n % m, j = index % n;
      std::int32_t first = -1;
      for (std::int64_t pivot = 0; pivot < k && first < 0; ++pivot)
        if (a[size(matrix * m * k + i * k + pivot)] && b[size(matrix * k * n + pivot * n + j)])
          first = static_cast<std::int32_t>(pivot);
      CHECK(c[size(index)] == (first >= 0));
      if (with_pivots) CHECK(via[size(index)] == first);
    }
  }
}

void check_all(int threads) {
  for (const Semiring semiring :
       {Semiring::kMinPlus, Semiring::kMaxPlus, Semiring::kMaxMin, Semiring::kMinMax})
    for (const auto& [count, m, k, n] :
         {std::array<std::int64_t, 4>{1, 1, 1, 1}, {5, 7, 9, 4}, {2, 33, 130, 70}, {1, 130, 140, 135}}) {
      check_products<std::int32_t>(semiring, count, m, k, n, threads);
      check_products<std::int64_t>(semiring, count, m, k, n, threads);
      check_products<float>(semiring, count, m, k, n, threads);
      check_products<double>(semiring, count, m, k, n, threads);
      if (semiring == Semiring::kMinPlus) check_products<std::uint16_t>(semiring, count, m, k, n, threads);
    }
  check_bits(3, 5, 7, 9, threads);
  check_bits(2, 40, 150, 130, threads);
}

}  // namespace

int main() {
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (isa > best_isa()) continue;
    set_isa(isa);
    check_all(isa == Isa::kAvx2 ? 1 : 3);
  }
  CHECK(semiring_from_name("max_plus") == Semiring::kMaxPlus);
}
