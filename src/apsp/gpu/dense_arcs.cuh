// The arcs of a graph that is given as a dense (n, n) matrix of lengths in device memory.
#pragma once
#include "semiring.cuh"

namespace apsp {

// The entry that means "no arc".
enum Absent { kNever = 0, kValue = 1, kNotANumber = 2 };

// Whether the entry [u, v] is an arc. Diagonal entries count only if they are negative (shorter than the
// empty path).
template <class W>
__device__ __forceinline__ bool is_arc(W length, W absent, int kind, bool diagonal) {
  const bool none = kind == kValue ? length == absent : kind == kNotANumber && length != length;
  return !none && (!diagonal || length < W(0));
}

// A length in the dtype of a page; integers that it cannot hold become "no path".
template <class Ops, class W>
__device__ __forceinline__ typename Ops::Value page_value(W length) {
  using T = typename Ops::Value;
  if constexpr (kIsFloat<W>) {
    return T(length) + T(0);  // of two zeros, the positive one
  } else if constexpr (kIsFloat<T> || !Ops::kSums) {
    return T(length);
  } else {
    return static_cast<long long>(length) >= static_cast<long long>(Ops::kNoPath) ? Ops::kNoPath : T(length);
  }
}

}  // namespace apsp
