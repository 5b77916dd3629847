// Several costs of a path as one value: sums by component, compared in the order of the components. So the
// first cost is minimised, and among equal ones the second, and so on: tuples are a (min,+) algebra of their
// own.
#pragma once
#include <limits>

#include "semiring/algebra.hpp"
#include "semiring/length.hpp"

namespace apsp::semiring {

template <int kSize>
struct Costs {
  static constexpr int kCount = kSize;
  double at[kSize];

  friend bool operator<(const Costs& a, const Costs& b) {
    for (int i = 0; i < kSize; ++i)
      if (a.at[i] != b.at[i]) return a.at[i] < b.at[i];
    return false;
  }
  friend Costs operator+(const Costs& a, const Costs& b) {
    Costs sum;
    for (int i = 0; i < kSize; ++i) sum.at[i] = a.at[i] + b.at[i];
    return sum;
  }

  static constexpr Costs none() {
    Costs value{};
    for (double& each : value.at) each = std::numeric_limits<double>::infinity();
    return value;
  }
};

template <int kSize>
struct Bounds<Costs<kSize>> {
  static constexpr Costs<kSize> kNoPath = Costs<kSize>::none();
  static constexpr Costs<kSize> kLimit = kNoPath;
};

}  // namespace apsp::semiring

// use(T) for the tuples that kernels take; other numbers of costs are padded with zeros.
#define APSP_FOR_COSTS(use)                                                                       \
  use(::apsp::semiring::Costs<2>) use(::apsp::semiring::Costs<4>) use(::apsp::semiring::Costs<8>) \
      use(::apsp::semiring::Costs<16>)
