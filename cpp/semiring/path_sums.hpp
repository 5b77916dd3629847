// Sums of costs along paths of a graph with n vertices, and how far rounding may move them.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

namespace apsp::semiring {

template <class T>
struct PathSums {
  static constexpr bool kExact = std::is_integral_v<T>;

  T rounding = 0;  // of floats: the relative error of a sum

  explicit PathSums(std::int64_t n) {
    if constexpr (!kExact) rounding = 4 * (static_cast<T>(n) + 2) * std::numeric_limits<T>::epsilon();
  }
  T lowered(T sum) const noexcept {
    if constexpr (kExact)
      return sum;
    else
      return sum - sum * rounding - std::numeric_limits<T>::min();
  }
  T raised(T sum) const noexcept {
    if constexpr (kExact)
      return sum;
    else
      return sum + sum * rounding + std::numeric_limits<T>::min();
  }
  static bool is_finite(T sum) noexcept {
    if constexpr (kExact)
      return true;
    else
      return sum < std::numeric_limits<T>::infinity();
  }
};

}  // namespace apsp::semiring
