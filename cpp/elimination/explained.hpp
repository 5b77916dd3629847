// The rules by which an entry of a factor is explained: by an arc of its length; by a column of its own
// supernode, if both halves are shorter; by the last column of a supernode below that does; or by a column of
// its own between halves that have been explained before and are not longer. So no entry is part of itself,
// for any weights, cycles of length zero and rounding. With negative arcs halves may be longer: then only the
// order in which entries are explained counts.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "elimination/rows.hpp"

namespace apsp::elimination {

template <class T>
struct Rules {
  // Sums of 16-bit values do not wrap in it.
  using Sum = std::conditional_t<sizeof(T) == 2, std::int32_t, T>;

  bool nonnegative;

  explicit Rules(bool is_nonnegative) : nonnegative(is_nonnegative) {}

  bool is_path(T value) const {
    return value < (nonnegative ? semiring::Bounds<T>::kNoPath : semiring::Bounds<T>::kLimit);
  }

  // Floats: within rounding.
  static bool equal(Sum first, Sum second, Sum whole) {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr Sum kRounding = 4 * std::numeric_limits<T>::epsilon();
      const Sum sum = first + second;  // neither comparison holds for infinity
      return sum == whole || std::abs(sum - whole) < kRounding * (std::abs(first) + std::abs(second));
    } else {
      return first + second == whole;
    }
  }

  static bool shorter(Sum first, Sum second, Sum whole) { return first < whole && second < whole; }
  bool no_longer(Sum first, Sum second, Sum whole) const {
    return !nonnegative || (first <= whole && second <= whole);
  }
};

}  // namespace apsp::elimination
