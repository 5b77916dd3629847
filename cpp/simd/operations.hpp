// The two operations of an algebra on SIMD lanes: join extends a path, choose keeps the better of two.
// Included by kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include <cstdint>
#include <type_traits>

#include "semiring/algebra.hpp"
#include "simd/lanes.hpp"

namespace apsp::simd::APSP_SIMD {

template <class T>
struct MinPlus {
  using Value = T;
  using Vector = typename Lanes<T>::Vector;
  static constexpr semiring::Algebra kAlgebra = semiring::Algebra::kMinPlus;
  static Vector join(Vector a, Vector b) { return add<T>(a, b); }
  static Vector choose(Vector a, Vector b) { return min<T>(a, b); }
};

// Floats that are all >= +0 order like their bit patterns, so their minimum may be that of integers. With
// AVX-512 on Zen 5 it runs on other ports than the float add (94 for 71 G pairs per second per core for
// float, 45 for 35 for double); on Intel it may be slower (43 for 45), which floyd_warshall/variants.hpp
// measures. AVX2 and SSE2 lack some integer minima and gain nothing (float 35 for 36 and 12 for 18, double 14
// for 18 and 2 for 9).
#if defined(__AVX512BW__)
constexpr bool kMinimumOnBits = true;
#else
constexpr bool kMinimumOnBits = false;
#endif

template <class T>
struct MinPlusOnBits : MinPlus<T> {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  using Vector = typename Lanes<T>::Vector;
  using BitVector = typename Lanes<Bits>::Vector;
  static Vector choose(Vector a, Vector b) { return (Vector)min<Bits>((BitVector)a, (BitVector)b); }
};

template <class T>
struct MaxMin {
  using Value = T;
  using Vector = typename Lanes<T>::Vector;
  static constexpr semiring::Algebra kAlgebra = semiring::Algebra::kMaxMin;
  static Vector join(Vector a, Vector b) { return min<T>(a, b); }
  static Vector choose(Vector a, Vector b) { return max<T>(a, b); }
};

template <class T>
struct MinMax {
  using Value = T;
  using Vector = typename Lanes<T>::Vector;
  static constexpr semiring::Algebra kAlgebra = semiring::Algebra::kMinMax;
  static Vector join(Vector a, Vector b) { return max<T>(a, b); }
  static Vector choose(Vector a, Vector b) { return min<T>(a, b); }
};

}  // namespace apsp::simd::APSP_SIMD
