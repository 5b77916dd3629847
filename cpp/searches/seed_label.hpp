// A length, and the seed that it is from: of equal lengths the first seed is the shorter one, so a search in
// the order of labels settles the first of equally near seeds, also along arcs of length zero.
#pragma once
#include <cstdint>
#include <type_traits>

#include "semiring/length.hpp"

namespace apsp::searches {

template <class T, class = void>
class SeedLabel {
 public:
  using Length = std::conditional_t<std::is_floating_point_v<T>, T, std::uint64_t>;

  SeedLabel() = default;
  SeedLabel(T length, std::int32_t seed) noexcept : length_(static_cast<Length>(length)), seed_(seed) {}

  Length length() const noexcept { return length_; }
  std::int32_t seed() const noexcept { return seed_; }
  SeedLabel extended(T weight) const noexcept {
    SeedLabel sum = *this;
    sum.length_ += static_cast<Length>(weight);
    return sum;
  }
  bool operator<(const SeedLabel& other) const noexcept {
    return length_ < other.length_ || (length_ == other.length_ && seed_ < other.seed_);
  }
  bool operator==(const SeedLabel& other) const noexcept {
    return length_ == other.length_ && seed_ == other.seed_;
  }

 private:
  Length length_;  // a sum of two lengths of type T fits
  std::int32_t seed_;
};

// Short integers: the length above the seed in one word, so that one comparison compares both.
template <class T>
class SeedLabel<T, std::enable_if_t<std::is_integral_v<T> && sizeof(T) <= 4>> {
 public:
  using Length = std::uint64_t;

  SeedLabel() = default;
  SeedLabel(T length, std::int32_t seed) noexcept
      : bits_(static_cast<std::uint64_t>(length) << 32 | static_cast<std::uint32_t>(seed)) {}

  Length length() const noexcept { return bits_ >> 32; }
  std::int32_t seed() const noexcept { return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits_)); }
  SeedLabel extended(T weight) const noexcept {
    SeedLabel sum = *this;
    sum.bits_ += static_cast<std::uint64_t>(weight) << 32;
    return sum;
  }
  bool operator<(const SeedLabel& other) const noexcept { return bits_ < other.bits_; }
  bool operator==(const SeedLabel& other) const noexcept { return bits_ == other.bits_; }

 private:
  std::uint64_t bits_;
};

}  // namespace apsp::searches
