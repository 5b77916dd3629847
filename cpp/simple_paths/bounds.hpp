// Lower bounds of the lengths of paths to a target.
#pragma once
#include <cstdint>

#include "semiring/length.hpp"
#include "semiring/path_sums.hpp"
#include "simple_paths/simple_paths.hpp"

namespace apsp::simple_paths {

// Lower bounds of lengths, by the distances to a target.
template <class T>
struct Bounds {
  static constexpr bool kExact = semiring::PathSums<Label<T>>::kExact;

  semiring::PathSums<Label<T>> sums;
  const T* dist = nullptr;

  explicit Bounds(std::int64_t n) : sums(n) {}

  bool has_path(std::int32_t v) const noexcept { return dist[v] != semiring::kNoPath<T>; }

  // Of a path that comes to v with this length.
  Label<T> through(Label<T> length, std::int32_t v) const noexcept {
    return sums.lowered(length + static_cast<Label<T>>(dist[v]));
  }
  // Whether a way of this length from v to the target is a shortest one, up to rounding.
  bool is_shortest(Label<T> length, std::int32_t v) const noexcept {
    if constexpr (kExact)
      return length == static_cast<Label<T>>(dist[v]);
    else
      return length <= static_cast<double>(dist[v]) * (1 + sums.rounding);
  }
};

}  // namespace apsp::simple_paths
