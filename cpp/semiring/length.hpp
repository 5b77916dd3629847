// Path lengths of each dtype: "no path", and a sum of two lengths that cannot wrap.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace apsp::semiring {

// "No path": infinity for floats, the largest value for integers.
template <class T>
inline constexpr T kNoPath =
    std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();

// The type in which two non-negative lengths of type T are added: twice as wide, or unsigned where one more
// bit is enough. A sum that does not fit T compares as larger than every T, so it never becomes a label.
template <class T>
struct SumOf {
  using type =
      std::conditional_t<std::is_floating_point_v<T>, T,
                         std::conditional_t<sizeof(T) == 2, std::uint32_t,
                                            std::conditional_t<sizeof(T) == 4, std::int64_t, std::uint64_t>>>;
};
template <class T>
using Sum = typename SumOf<T>::type;

template <class T>
constexpr Sum<T> add(T a, T b) noexcept {
  return static_cast<Sum<T>>(a) + static_cast<Sum<T>>(b);
}

// The smallest length beyond `bound`: labels start there, so that one comparison serves "shorter" and "within
// the bound".
template <class T>
T just_beyond(T bound) noexcept {
  if (bound >= kNoPath<T>) return kNoPath<T>;
  if constexpr (std::is_floating_point_v<T>)
    return std::nextafter(bound, kNoPath<T>);
  else
    return static_cast<T>(bound + 1);
}

}  // namespace apsp::semiring
