#include "reductions/moments.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "runtime/team.hpp"
#include "semiring/length.hpp"

namespace apsp::reductions {
namespace {

__extension__ typedef __int128 Int128;

constexpr std::int64_t kChunk = 512;

// The sum of product(j) over a chunk. Products of narrow integers fit 64 bits; their halves are added apart.
template <class T, class Product>
Int128 integer_sum(std::int64_t count, Product product) {
  if constexpr (sizeof(T) == 8) {
    Int128 sum = 0;
    for (std::int64_t j = 0; j < count; ++j) sum += product(j);
    return sum;
  } else {
    std::int64_t high = 0, low = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int64_t value = static_cast<std::int64_t>(product(j));
      high += value >> 32;
      low += value & 0xffffffff;
    }
    return (static_cast<Int128>(high) << 32) + low;
  }
}

void store(Int128 sum, std::int64_t* pair) {
  pair[0] = static_cast<std::int64_t>(sum >> 64);
  pair[1] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum));
}

template <class Product>
double float_sum(std::int64_t count, Product product) {
  double lanes[8] = {};
  std::int64_t j = 0;
  for (; j + 8 <= count; j += 8)
    for (std::int64_t lane = 0; lane < 8; ++lane) lanes[lane] += product(j + lane);
  for (; j < count; ++j) lanes[0] += product(j);
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

struct Compensated {
  double sum = 0, error = 0;

  void add(double value) {
    const double next = sum + value;
    error += std::fabs(sum) >= std::fabs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  double value() const { return std::isfinite(sum) ? sum + error : sum; }
};

}  // namespace

template <class T>
void integer_moments(const DistanceRows<T>& rows, const std::int64_t* factors, std::int64_t* squares,
                     std::int64_t* weighted, int threads, Control& control) {
  using Wide = std::conditional_t<sizeof(T) == 8, Int128, std::int64_t>;
  Team team(threads);
  team.parallel_for(rows.rows, [&](std::int64_t i, int) {
    control.check();
    const T* row = rows.data + i * rows.stride;
    Int128 square = 0, product = 0;
    for (std::int64_t from = 0; from < rows.columns; from += kChunk) {
      const std::int64_t count = std::min(kChunk, rows.columns - from);
      const T* chunk = row + from;
      const auto distance = [&](std::int64_t j) {
        return chunk[j] == semiring::kNoPath<T> ? Wide{0} : static_cast<Wide>(chunk[j]);
      };
      if (squares) square += integer_sum<T>(count, [&](std::int64_t j) { return distance(j) * distance(j); });
      if (weighted)
        product += integer_sum<T>(count, [&](std::int64_t j) { return distance(j) * factors[from + j]; });
    }
    if (squares) store(square, squares + 2 * i);
    if (weighted) store(product, weighted + 2 * i);
  });
}

template <class T>
void float_moments(const DistanceRows<T>& rows, const std::int64_t* factors, double* squares,
                   double* weighted, int threads, Control& control) {
  Team team(threads);
  team.parallel_for(rows.rows, [&](std::int64_t i, int) {
    control.check();
    const T* row = rows.data + i * rows.stride;
    Compensated square, product;
    for (std::int64_t from = 0; from < rows.columns; from += kChunk) {
      const std::int64_t count = std::min(kChunk, rows.columns - from);
      const T* chunk = row + from;
      const auto distance = [&](std::int64_t j) {
        return chunk[j] == semiring::kNoPath<T> ? 0.0 : static_cast<double>(chunk[j]);
      };
      if (squares) square.add(float_sum(count, [&](std::int64_t j) { return distance(j) * distance(j); }));
      if (weighted)
        product.add(float_sum(
            count, [&](std::int64_t j) { return distance(j) * static_cast<double>(factors[from + j]); }));
    }
    if (squares) squares[i] = square.value();
    if (weighted) weighted[i] = product.value();
  });
}

#define APSP_INTEGERS(T)                                                                       \
  template void integer_moments<T>(const DistanceRows<T>&, const std::int64_t*, std::int64_t*, \
                                   std::int64_t*, int, Control&);
#define APSP_FLOATS(T)                                                                               \
  template void float_moments<T>(const DistanceRows<T>&, const std::int64_t*, double*, double*, int, \
                                 Control&);
APSP_INTEGERS(std::uint16_t)
APSP_INTEGERS(std::int32_t)
APSP_INTEGERS(std::int64_t)
APSP_FLOATS(float)
APSP_FLOATS(double)
#undef APSP_INTEGERS
#undef APSP_FLOATS

}  // namespace apsp::reductions
