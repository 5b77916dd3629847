// Fewer values than a vector has lanes, in one operation. Included by kernels_simd.cpp only: see
// simd/dispatch.hpp.
#pragma once
#include "simd/lanes.hpp"

namespace apsp::simd::APSP_SIMD {

#if defined(__AVX512BW__)
constexpr bool kParts = true;

// The first `count` values, fewer than the lanes of a vector; the other lanes are 0.
template <class T>
inline typename Lanes<T>::Vector load_part(const T* from, std::int64_t count) {
  using V = typename Lanes<T>::Vector;
  const std::uint64_t lanes = (std::uint64_t{1} << count) - 1;
  if constexpr (sizeof(T) == 2) return (V)_mm512_maskz_loadu_epi16(static_cast<__mmask32>(lanes), from);
  if constexpr (sizeof(T) == 4) return (V)_mm512_maskz_loadu_epi32(static_cast<__mmask16>(lanes), from);
  if constexpr (sizeof(T) == 8) return (V)_mm512_maskz_loadu_epi64(static_cast<__mmask8>(lanes), from);
}
template <class T>
inline void store_part(T* to, typename Lanes<T>::Vector value, std::int64_t count) {
  const std::uint64_t lanes = (std::uint64_t{1} << count) - 1;
  if constexpr (sizeof(T) == 2) _mm512_mask_storeu_epi16(to, static_cast<__mmask32>(lanes), (__m512i)value);
  if constexpr (sizeof(T) == 4) _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(lanes), (__m512i)value);
  if constexpr (sizeof(T) == 8) _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(lanes), (__m512i)value);
}
#else
constexpr bool kParts = false;
template <class T>
typename Lanes<T>::Vector load_part(const T* from, std::int64_t count);  // not defined: see kParts
template <class T>
void store_part(T* to, typename Lanes<T>::Vector value, std::int64_t count);
#endif

}  // namespace apsp::simd::APSP_SIMD
