// One truth value per SIMD lane: a mask register on AVX-512, a vector of all ones and zeros elsewhere.
// Included by kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include <cstdint>
#include <type_traits>

#include "simd/lanes.hpp"

namespace apsp::simd::APSP_SIMD {

// Vertex numbers as wide as the distances, so that one mark serves both.
template <class L>
using LaneIndex = std::conditional_t<sizeof(L) == 4, std::int32_t, std::int64_t>;

#if defined(__AVX512BW__)

template <class L>
using Marks = std::uint32_t;

template <class L, class V>
inline Marks<L> equal(V a, V b) {
  if constexpr (std::is_same_v<L, float>) return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
  if constexpr (std::is_same_v<L, double>) return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_EQ_OQ);
  if constexpr (std::is_same_v<L, std::int32_t>) return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<L, std::int64_t>) return _mm512_cmpeq_epi64_mask((__m512i)a, (__m512i)b);
}
template <class L, class V>
inline Marks<L> less(V a, V b) {
  if constexpr (std::is_same_v<L, float>) return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
  if constexpr (std::is_same_v<L, double>) return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ);
  if constexpr (std::is_same_v<L, std::int32_t>) return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<L, std::int64_t>) return _mm512_cmplt_epi64_mask((__m512i)a, (__m512i)b);
}
template <class L, class V>
inline V pick(Marks<L> marks, V yes, V no) {
  if constexpr (sizeof(L) == 4)
    return (V)_mm512_mask_mov_epi32((__m512i)no, static_cast<__mmask16>(marks), (__m512i)yes);
  return (V)_mm512_mask_mov_epi64((__m512i)no, static_cast<__mmask8>(marks), (__m512i)yes);
}
inline bool any(std::uint32_t marks) { return marks != 0; }
template <class L>
inline std::uint32_t bits(Marks<L> marks) {
  return marks;
}

#else

template <class L>
using Marks = typename Lanes<LaneIndex<L> >::Vector;

template <class L, class V>
inline Marks<L> equal(V a, V b) {
  return (Marks<L>)(a == b);
}
template <class L, class V>
inline Marks<L> less(V a, V b) {
  return (Marks<L>)(a < b);
}
template <class L, class V>
inline V pick(Marks<L> marks, V yes, V no) {
  return marks ? yes : no;
}
template <class M>
inline bool any(M marks) {
#if defined(__AVX2__)
  return _mm256_testz_si256((__m256i)marks, (__m256i)marks) == 0;
#else
  typedef std::uint64_t Words __attribute__((vector_size(kVectorBytes)));
  const Words words = (Words)marks;
  return (words[0] | words[1]) != 0;
#endif
}
template <class L>
inline std::uint32_t bits(Marks<L> marks) {
  std::uint32_t result = 0;
  for (int lane = 0; lane < Lanes<L>::kCount; ++lane)
    result |= static_cast<std::uint32_t>(marks[lane] != 0) << lane;
  return result;
}

#endif

}  // namespace apsp::simd::APSP_SIMD
