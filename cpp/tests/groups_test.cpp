// Numbers of groups of columns, and moments of rows, on small matrices.
#include "reductions/groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "check.hpp"
#include "reductions/moments.hpp"

using namespace apsp;
using namespace apsp::reductions;

namespace {

template <class T>
constexpr T kNone =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();

// Two rows of five columns; column 2 is in no group.
template <class T>
struct Case {
  std::vector<T> dist{0, 3, 9, kNone<T>, 7, 4, 0, 1, 2, 2};
  std::vector<std::int32_t> order{0, 4, 1, 3};
  std::vector<std::int64_t> starts{0, 2, 2, 4}, own{0, 2};
  DistanceRows<T> rows{dist.data(), 2, 5, 5};
  Groups groups{order.data(), starts.data(), 3, own.data()};
  Control control;
};

template <class T>
void check_sums(int threads) {
  Case<T> one;
  std::vector<std::int64_t> reached(6);
  std::vector<Sum<T>> total(6);
  std::vector<T> least(6), largest(6);
  CHECK(!reduce_groups<T>(one.rows, one.groups, {reached.data(), total.data(), least.data(), largest.data()},
                          threads, one.control));
  CHECK((reached == std::vector<std::int64_t>{1, 0, 1, 2, 0, 1}));
  CHECK((total == std::vector<Sum<T>>{7, 0, 3, 6, 0, 2}));
  CHECK((least == std::vector<T>{7, 0, 3, 2, 0, 2}));
  CHECK((largest == std::vector<T>{7, 0, 3, 4, 0, 2}));
}

template <class T>
void check_counts(int threads) {
  Case<T> one;
  const std::vector<std::int32_t> cells{0, 0}, second{-1, 0};
  std::vector<std::int64_t> even(3 * 16);
  count_groups<T>(one.rows, one.groups, cells.data(), EvenBins{0, 8}, even.data(), threads, one.control);
  CHECK(even[8 + 7] == 1 && even[8 + 4] == 1 && even[8 + 2] == 1 && even[32 + 8 + 3] == 1);
  CHECK(std::accumulate(even.begin(), even.end(), std::int64_t{0}) == 5);
  const std::vector<double> edges{2, 4, 7};
  std::vector<std::int64_t> between(3 * 2);
  count_groups<T>(one.rows, one.groups, second.data(), EdgeBins{edges.data(), 2}, between.data(), threads,
                  one.control);
  CHECK((between == std::vector<std::int64_t>{1, 1, 0, 0, 1, 0}));
  if constexpr (std::is_integral_v<T>) {
    const std::vector<std::int64_t> lows{2, 4, 0, 0, 3, 0};
    std::vector<std::int64_t> inside(3 * 2 * 2);
    count_groups<T>(one.rows, one.groups, cells.data(), KeyWindows{lows.data(), 2, 1, 2}, inside.data(),
                    threads, one.control);
    CHECK((inside == std::vector<std::int64_t>{1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 2}));
  }
}

// A distance far below the width of the bins, whose quotient is no float, is on its own side of zero.
template <class T>
void check_tiny_counts() {
  const T tiny = std::numeric_limits<T>::denorm_min();
  const std::vector<T> dist{tiny,  -tiny,    T{0},      -T{0},
                            T{-1}, kNone<T>, -kNone<T>, std::numeric_limits<T>::quiet_NaN()};
  const std::vector<std::int32_t> order{0, 1, 2, 3, 4, 5, 6, 7}, cells{0};
  const std::vector<std::int64_t> starts{0, 8}, own{-1};
  Control control;
  for (const int exponent : {1, 100, 1024}) {
    std::vector<std::int64_t> counts(4);
    count_groups<T>({dist.data(), 1, 8, 8}, {order.data(), starts.data(), 1, own.data()}, cells.data(),
                    EvenBins{exponent, 2}, counts.data(), 1, control);
    CHECK((counts == std::vector<std::int64_t>{0, 2, 3, 0}));
  }
}

template <class T>
void check_quantiles(int threads) {
  Case<T> one;
  const std::vector<double> shares{0, 0.5, 1};
  std::vector<T> found(2 * 3 * 3);
  quantiles_of_groups<T>(one.rows, one.groups, shares.data(), 3, found.data(), threads, one.control);
  CHECK((std::vector<T>(found.begin() + 9, found.begin() + 12) == std::vector<T>{2, 2, 4}));
  CHECK(std::all_of(found.begin() + 3, found.begin() + 6, [](T value) { return value == kNone<T>; }));
  std::vector<T> wide(300), sorted;
  for (std::size_t j = 0; j < wide.size(); ++j) wide[j] = static_cast<T>((j * 7919) % 30011 % 5003);
  std::vector<std::int32_t> order(wide.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<std::int64_t> starts{0, 300}, own{-1};
  sorted = wide;
  std::sort(sorted.begin(), sorted.end());
  quantiles_of_groups<T>({wide.data(), 1, 300, 300}, {order.data(), starts.data(), 1, own.data()},
                         shares.data(), 3, found.data(), threads, one.control);
  CHECK(found[0] == sorted[0] && found[1] == sorted[149] && found[2] == sorted[299]);
}

template <class T>
void check_moments() {
  Case<T> one;
  const std::vector<std::int64_t> factors{5, 4, 3, 2, 1};
  if constexpr (std::is_integral_v<T>) {
    std::vector<std::int64_t> squares(4), weighted(4);
    integer_moments<T>(one.rows, factors.data(), squares.data(), weighted.data(), 1, one.control);
    CHECK((squares == std::vector<std::int64_t>{0, 9 + 81 + 49, 0, 16 + 1 + 4 + 4}));
    CHECK((weighted == std::vector<std::int64_t>{0, 12 + 27 + 7, 0, 20 + 3 + 4 + 2}));
  } else {
    std::vector<double> squares(2), weighted(2);
    float_moments<T>(one.rows, factors.data(), squares.data(), weighted.data(), 2, one.control);
    CHECK((squares == std::vector<double>{139, 25}));
    CHECK((weighted == std::vector<double>{46, 29}));
  }
}

void check_large_moments() {
  const std::vector<std::int64_t> row{-(std::int64_t{1} << 40), std::int64_t{1} << 40};
  std::vector<std::int64_t> squares(2);
  Control control;
  integer_moments<std::int64_t>({row.data(), 1, 2, 2}, nullptr, squares.data(), nullptr, 1, control);
  CHECK((squares == std::vector<std::int64_t>{1 << 17, 0}));  // 2^81
  const std::vector<std::int32_t> narrow(1000, -2147483647);
  integer_moments<std::int32_t>({narrow.data(), 1, 1000, 1000}, nullptr, squares.data(), nullptr, 1, control);
  CHECK(squares[0] == 249);  // 1000 (2^31 - 1)^2 / 2^64
}

template <class T>
void check_all() {
  for (const int threads : {1, 2}) {
    check_sums<T>(threads);
    check_counts<T>(threads);
    check_quantiles<T>(threads);
  }
  check_moments<T>();
}

}  // namespace

int main() {
  check_all<std::uint16_t>();
  check_all<std::int32_t>();
  check_all<std::int64_t>();
  check_all<float>();
  check_all<double>();
  check_tiny_counts<float>();
  check_tiny_counts<double>();
  check_large_moments();
}
