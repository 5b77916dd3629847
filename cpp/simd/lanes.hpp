// SIMD lanes of one element type, on the vector extensions of GCC and clang: the same source for every
// instruction set. Only operations that these do not express well (minimum, maximum, saturating addition on
// x86) use intrinsics. Included by kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include <cstdint>
#include <type_traits>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace apsp::simd::APSP_SIMD {

#if defined(__AVX512BW__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

template <class T>
struct Lanes {
  typedef T Vector __attribute__((vector_size(kVectorBytes)));
  static constexpr int kCount = kVectorBytes / static_cast<int>(sizeof(T));

  // The stored form of an entry of a packed left operand: 8-bit and 16-bit values are repeated, since
  // broadcasting 32 bits from memory is a plain load, and broadcasting fewer needs a shuffle too.
  using Packed = std::conditional_t<sizeof(T) <= 2, std::uint32_t, T>;
  static Packed pack(T value) {
    if constexpr (sizeof(T) == 1) return value * 0x1010101u;
    if constexpr (sizeof(T) == 2) return value * 0x10001u;
    return value;
  }
  static Vector splat(Packed value) {
    typedef Packed Wide __attribute__((vector_size(kVectorBytes)));
    return (Vector)(value - Wide{});
  }
  static Vector load(const T* from) {
    Vector value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
  }
  static void store(T* to, Vector value) { __builtin_memcpy(to, &value, sizeof value); }
};

// a + b; 8-bit and 16-bit sums saturate at the largest value.
template <class T, class V>
inline V add(V a, V b) {
  if constexpr (sizeof(T) <= 2) {
#if defined(__AVX512BW__)
    return sizeof(T) == 1 ? (V)_mm512_adds_epu8((__m512i)a, (__m512i)b)
                          : (V)_mm512_adds_epu16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return sizeof(T) == 1 ? (V)_mm256_adds_epu8((__m256i)a, (__m256i)b)
                          : (V)_mm256_adds_epu16((__m256i)a, (__m256i)b);
#else
    const V sum = a + b;
    return sum | (V)(sum < a);
#endif
  } else {
    return a + b;
  }
}

#if defined(__AVX512BW__)
#define APSP_PICK(name, generic)                                                                             \
  template <class T, class V>                                                                                \
  inline V name(V a, V b) {                                                                                  \
    if constexpr (std::is_same_v<T, float>) return (V)_mm512_##name##_ps((__m512)a, (__m512)b);              \
    if constexpr (std::is_same_v<T, double>) return (V)_mm512_##name##_pd((__m512d)a, (__m512d)b);           \
    if constexpr (std::is_same_v<T, std::int32_t>) return (V)_mm512_##name##_epi32((__m512i)a, (__m512i)b);  \
    if constexpr (std::is_same_v<T, std::int64_t>) return (V)_mm512_##name##_epi64((__m512i)a, (__m512i)b);  \
    if constexpr (std::is_same_v<T, std::uint32_t>) return (V)_mm512_##name##_epu32((__m512i)a, (__m512i)b); \
    if constexpr (std::is_same_v<T, std::uint64_t>) return (V)_mm512_##name##_epu64((__m512i)a, (__m512i)b); \
    if constexpr (sizeof(T) == 2) return (V)_mm512_##name##_epu16((__m512i)a, (__m512i)b);                   \
    if constexpr (sizeof(T) == 1) return (V)_mm512_##name##_epu8((__m512i)a, (__m512i)b);                    \
  }
#elif defined(__AVX2__)
#define APSP_PICK(name, generic)                                                                             \
  template <class T, class V>                                                                                \
  inline V name(V a, V b) {                                                                                  \
    if constexpr (std::is_same_v<T, float>) return (V)_mm256_##name##_ps((__m256)a, (__m256)b);              \
    if constexpr (std::is_same_v<T, double>) return (V)_mm256_##name##_pd((__m256d)a, (__m256d)b);           \
    if constexpr (std::is_same_v<T, std::int32_t>) return (V)_mm256_##name##_epi32((__m256i)a, (__m256i)b);  \
    if constexpr (std::is_same_v<T, std::uint32_t>) return (V)_mm256_##name##_epu32((__m256i)a, (__m256i)b); \
    if constexpr (sizeof(T) == 8 && !std::is_same_v<T, double>) return generic;                              \
    if constexpr (sizeof(T) == 2) return (V)_mm256_##name##_epu16((__m256i)a, (__m256i)b);                   \
    if constexpr (sizeof(T) == 1) return (V)_mm256_##name##_epu8((__m256i)a, (__m256i)b);                    \
  }
#else
#define APSP_PICK(name, generic) \
  template <class T, class V>    \
  inline V name(V a, V b) {      \
    return generic;              \
  }
#endif
APSP_PICK(min, a < b ? a : b)
APSP_PICK(max, a > b ? a : b)
#undef APSP_PICK

}  // namespace apsp::simd::APSP_SIMD
