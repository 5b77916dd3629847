// Floats as integers in a common unit, a power of two: their sums and differences are then exact, whatever
// their magnitudes. Every finite float is such an integer; the number of bits depends on the graph.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

#include "semiring/length.hpp"

namespace apsp::searches {

__extension__ typedef __int128 Int128;

// An integer of 64 * kWords bits in two's complement, least significant word first. No operation checks for
// overflow: the caller provides enough bits for its sums.
template <int kWords>
class Fixed {
 public:
  constexpr Fixed(std::int64_t value = 0) noexcept {  // NOLINT: converts as the built-in integers do
    words_.fill(value < 0 ? ~std::uint64_t{0} : 0);
    words_[0] = static_cast<std::uint64_t>(value);
  }

  static constexpr Fixed largest() noexcept {
    Fixed found(-1);
    found.words_[kWords - 1] >>= 1;
    return found;
  }

  friend constexpr Fixed operator+(const Fixed& a, const Fixed& b) noexcept { return sum(a, b, false, 0); }
  friend constexpr Fixed operator-(const Fixed& a, const Fixed& b) noexcept { return sum(a, b, true, 1); }
  friend constexpr bool operator==(const Fixed&, const Fixed&) noexcept = default;
  friend constexpr std::strong_ordering operator<=>(const Fixed& a, const Fixed& b) noexcept {
    if (a.negative() != b.negative())
      return a.negative() ? std::strong_ordering::less : std::strong_ordering::greater;
    for (int k = kWords - 1; k > 0; --k)
      if (a.words_[k] != b.words_[k]) return a.words_[k] <=> b.words_[k];
    return a.words_[0] <=> b.words_[0];
  }

  constexpr Fixed operator<<(int bits) const noexcept {
    Fixed shifted;
    const int words = bits / 64, rest = bits % 64;
    for (int k = kWords - 1; k >= words; --k) {
      shifted.words_[k] = words_[k - words] << rest;
      if (rest > 0 && k > words) shifted.words_[k] |= words_[k - words - 1] >> (64 - rest);
    }
    return shifted;
  }

  constexpr bool negative() const noexcept { return (words_[kWords - 1] >> 63) != 0; }

  // The value times 2^exponent, rounded at most twice: to 64 bits with a sticky bit, then to double.
  double scaled(int exponent) const noexcept {
    const Fixed size = negative() ? Fixed(0) - *this : *this;
    int top = kWords - 1;
    while (top > 0 && size.words_[top] == 0) --top;
    std::uint64_t high = size.words_[top];
    if (high == 0) return 0;
    const int empty = std::countl_zero(high);
    bool rest = false;
    if (top > 0) {
      if (empty > 0) high = high << empty | size.words_[top - 1] >> (64 - empty);
      rest = empty > 0 ? (size.words_[top - 1] << empty) != 0 : size.words_[top - 1] != 0;
      for (int k = top - 2; k >= 0; --k) rest = rest || size.words_[k] != 0;
    } else {
      high <<= empty;
    }
    const double rounded =
        std::ldexp(static_cast<double>(high | static_cast<std::uint64_t>(rest)), 64 * top - empty + exponent);
    return negative() ? -rounded : rounded;
  }

 private:
  static constexpr Fixed sum(const Fixed& a, const Fixed& b, bool complement, unsigned carry) noexcept {
    Fixed result;
    for (int k = 0; k < kWords; ++k) {
      const std::uint64_t other = complement ? ~b.words_[k] : b.words_[k];
      const std::uint64_t partial = a.words_[k] + other;
      result.words_[k] = partial + carry;
      carry = static_cast<unsigned>(partial < other) | static_cast<unsigned>(result.words_[k] < partial);
    }
    return result;
  }

  std::array<std::uint64_t, kWords> words_;
};

}  // namespace apsp::searches

namespace apsp::semiring {

// Lengths of these types: the caller ensures that a sum of two lengths of a path fits.
template <>
inline constexpr searches::Int128 kNoPath<searches::Int128> =
    static_cast<searches::Int128>(~static_cast<unsigned __int128>(0) >> 1);
template <int kWords>
inline constexpr searches::Fixed<kWords> kNoPath<searches::Fixed<kWords>> =
    searches::Fixed<kWords>::largest();
template <>
struct SumOf<searches::Int128> {
  using type = searches::Int128;
};
template <int kWords>
struct SumOf<searches::Fixed<kWords>> {
  using type = searches::Fixed<kWords>;
};

}  // namespace apsp::semiring

namespace apsp::searches {

// value / 2^unit, digits below the unit cut off.
template <class Int>
Int to_units(double value, int unit) noexcept {
  if (value == 0) return Int(0);  // it has no exponent
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  const int shift = exponent - 53 - unit;
  if (shift >= 0) {
    if constexpr (sizeof(Int) <= sizeof(Int128))
      return static_cast<Int>(static_cast<Int128>(mantissa) * (static_cast<Int128>(1) << shift));
    else
      return Int(mantissa) << shift;
  }
  if (shift <= -63) return Int(0);
  const std::int64_t size = (mantissa < 0 ? -mantissa : mantissa) >> -shift;
  return Int(mantissa < 0 ? -size : size);
}

template <class Int>
double from_units(const Int& value, int unit) noexcept {
  if constexpr (sizeof(Int) <= sizeof(Int128))
    return static_cast<double>(value) * std::ldexp(1.0, unit);  // exact, unless the product is subnormal
  else
    return value.scaled(unit);
}

}  // namespace apsp::searches
