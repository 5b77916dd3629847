// The three algebras of the dense kernels and, for each dtype, the values that stand for "no path" and "the
// empty path" while a kernel runs. apsp/semiring.py holds the public values; fill and finish (matrix.hpp)
// convert between the two.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace apsp::semiring {

enum class Algebra { kMinPlus, kMaxMin, kMinMax };

// "min_plus", "max_min" or "min_max"; throws std::invalid_argument otherwise.
Algebra algebra_from_name(std::string_view name);

// Signed integers add without saturation, so "no path" must be at most half of the range: no_path + no_path
// fits. The planner has proven that no simple path is longer than limit = range / 4 or shorter than -limit.
// With negative arcs a value without a path may be below no_path: i -> a, no path, b -> j gives no_path +
// d(i,a) + d(b,j). The two pieces share no vertex (otherwise i would reach j), so together they exceed -limit
// and the value is at least limit; with every further gap another no_path is larger than another piece. So
// `limit` separates values with and without a path.
template <class T>
struct Bounds {
  static constexpr T kNoPath = std::numeric_limits<T>::max() / 2;
  static constexpr T kLimit = std::numeric_limits<T>::max() / 4 + 1;
};
template <>
struct Bounds<std::uint16_t> {  // saturating addition: a sum with the maximum is the maximum
  static constexpr std::uint16_t kNoPath = 65535;
  static constexpr std::uint16_t kLimit = 65535;
};
template <>
struct Bounds<float> {
  static constexpr float kNoPath = std::numeric_limits<float>::infinity();
  static constexpr float kLimit = kNoPath;
};
template <>
struct Bounds<double> {
  static constexpr double kNoPath = std::numeric_limits<double>::infinity();
  static constexpr double kLimit = kNoPath;
};

template <class T>
constexpr T smallest_value() {
  if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::min();
}

template <class T>
constexpr T largest_value() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::max();
}

// A pair without a path, inside the kernels: neutral for choose, absorbing for join.
template <class T>
constexpr T no_path(Algebra algebra) {
  if (algebra == Algebra::kMinPlus) return Bounds<T>::kNoPath;
  return algebra == Algebra::kMaxMin ? smallest_value<T>() : largest_value<T>();
}

// The path without arcs, on the diagonal: neutral for join.
template <class T>
constexpr T empty_path(Algebra algebra) {
  if (algebra == Algebra::kMinPlus) return T{0};
  return algebra == Algebra::kMaxMin ? largest_value<T>() : smallest_value<T>();
}

}  // namespace apsp::semiring
