// The line of labels of one vertex as SIMD registers. Included by kernels_simd.cpp only: see
// simd/dispatch.hpp.
#pragma once
#include <cstdint>
#include <type_traits>

#include "rows/lane_arcs.hpp"
#include "runtime/prefetch.hpp"
#include "simd/lanes.hpp"

namespace apsp::rows::APSP_SIMD {

using simd::APSP_SIMD::kVectorBytes;
template <class L>
using Lanes = simd::APSP_SIMD::Lanes<L>;

#if defined(__AVX512BW__)

using Mark = std::uint64_t;
template <class L, class V>
inline Mark less(V a, V b) {
  if constexpr (std::is_same_v<L, float>) return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
  if constexpr (std::is_same_v<L, double>) return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LT_OQ);
  if constexpr (sizeof(L) == 1) return _mm512_cmplt_epu8_mask((__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<L, std::uint16_t>) return _mm512_cmplt_epu16_mask((__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<L, std::uint32_t>) return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<L, std::uint64_t>) return _mm512_cmplt_epu64_mask((__m512i)a, (__m512i)b);
}
template <class L, class V>
inline Mark equal(V a, V b) {
  if constexpr (std::is_same_v<L, float>) return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ);
  if constexpr (std::is_same_v<L, double>) return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_EQ_OQ);
  if constexpr (sizeof(L) == 2) return _mm512_cmpeq_epi16_mask((__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<L, std::uint32_t>) return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
  if constexpr (std::is_same_v<L, std::uint64_t>) return _mm512_cmpeq_epi64_mask((__m512i)a, (__m512i)b);
}
inline bool any(Mark mark) { return mark != 0; }

// Numbers of the lanes of one register: put gives one name to those that are marked, take those of others.
template <class L>
struct Names {
  static constexpr int kCount = kVectorBytes / static_cast<int>(sizeof(L));
  typedef std::int32_t Part __attribute__((vector_size(kCount < 16 ? 32 : 64)));
  static constexpr int kParts = kCount < 16 ? 1 : kCount / 16;
  Part part[kParts];

  static Names all(std::int32_t name) {
    Names names;
    for (int k = 0; k < kParts; ++k) names.part[k] = name - Part{};
    return names;
  }
  void put(Mark mark, std::int32_t name) {
    if constexpr (kCount < 16)
      part[0] = (Part)_mm256_mask_set1_epi32((__m256i)part[0], static_cast<__mmask8>(mark), name);
    else
      for (int k = 0; k < kParts; ++k)
        part[k] =
            (Part)_mm512_mask_set1_epi32((__m512i)part[k], static_cast<__mmask16>(mark >> (16 * k)), name);
  }
  void take(Mark mark, const Names& other) {
    if constexpr (kCount < 16)
      part[0] =
          (Part)_mm256_mask_mov_epi32((__m256i)part[0], static_cast<__mmask8>(mark), (__m256i)other.part[0]);
    else
      for (int k = 0; k < kParts; ++k)
        part[k] = (Part)_mm512_mask_mov_epi32((__m512i)part[k], static_cast<__mmask16>(mark >> (16 * k)),
                                              (__m512i)other.part[k]);
  }
};

#else

typedef std::int64_t Mark __attribute__((vector_size(kVectorBytes)));
template <class L, class V>
inline Mark less(V a, V b) {
  return (Mark)(a < b);
}
template <class L, class V>
inline Mark equal(V a, V b) {
  return (Mark)(a == b);
}
inline bool any(Mark mark) {
#if defined(__AVX2__)
  return _mm256_testz_si256((__m256i)mark, (__m256i)mark) == 0;
#else
  return (mark[0] | mark[1]) != 0;
#endif
}

template <class L>
struct Names {
  static constexpr int kCount = kVectorBytes / static_cast<int>(sizeof(L));
  using Lane = std::conditional_t<sizeof(L) == 2, std::int16_t,
                                  std::conditional_t<sizeof(L) == 4, std::int32_t, std::int64_t> >;
  typedef Lane Wide __attribute__((vector_size(kVectorBytes)));
  typedef std::int32_t Part __attribute__((vector_size(kCount * sizeof(std::int32_t))));
  static constexpr int kParts = 1;
  Part part[kParts];

  static Names all(std::int32_t name) { return {{name - Part{}}}; }
  void put(Mark mark, std::int32_t name) {
    const Part marked = __builtin_convertvector((Wide)mark, Part);
    part[0] = (part[0] & ~marked) | ((name - Part{}) & marked);
  }
  void take(Mark mark, const Names& other) {
    const Part marked = __builtin_convertvector((Wide)mark, Part);
    part[0] = (part[0] & ~marked) | (other.part[0] & marked);
  }
};

#endif

template <class L>
struct Line {
  using Vector = typename Lanes<L>::Vector;
  static constexpr int kVectors = kLineBytes / kVectorBytes;
  Vector part[kVectors];

  static Line load(const L* from) {
    Line line;
    for (int k = 0; k < kVectors; ++k) line.part[k] = Lanes<L>::load(from + k * Lanes<L>::kCount);
    return line;
  }
  void store(L* to) const {
    for (int k = 0; k < kVectors; ++k) Lanes<L>::store(to + k * Lanes<L>::kCount, part[k]);
  }
};

// Of the labels of one vertex.
template <class L>
inline void prefetch_line(const L* line) {
  constexpr int kCacheLine = 64 / static_cast<int>(sizeof(L));
  for (int i = 0; i < kLabelLanes<L>; i += kCacheLine) prefetch(line + i);
}

template <class L>
inline typename Lanes<L>::Vector sum(typename Lanes<L>::Vector a, typename Lanes<L>::Vector b) {
  return simd::APSP_SIMD::add<L>(a, b);
}
template <class L>
inline typename Lanes<L>::Vector smaller(typename Lanes<L>::Vector a, typename Lanes<L>::Vector b) {
  return simd::APSP_SIMD::min<L>(a, b);
}
template <class L>
inline typename Lanes<L>::Vector splat(typename LaneArc<L>::Packed weight) {
  return Lanes<L>::splat(weight);
}
template <class L>
inline typename Lanes<L>::Vector splat_label(L value) {
  return Lanes<L>::splat(Lanes<L>::pack(value));
}

}  // namespace apsp::rows::APSP_SIMD
