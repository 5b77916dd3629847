// The numbers of a factor: "no path", and rows that are lowered.
#pragma once
#include <stdint.h>

namespace apsp::explore {

// As semiring::Bounds: twice of an integer does not wrap.
template <class T>
struct Values {
  static constexpr T kNone = static_cast<T>(__builtin_inf());
};
template <>
struct Values<int32_t> {
  static constexpr int32_t kNone = INT32_MAX / 2;
};

template <class T>
inline T least(T a, T b) {
  return b < a ? b : a;
}

// to[j] = min(to[j], value + row[j]).
template <class T>
inline void lower(T* __restrict to, T value, const T* __restrict row, int32_t count) {
  for (int32_t j = 0; j < count; ++j) to[j] = least(to[j], static_cast<T>(value + row[j]));
}

// c[i, j] = min(c[i, j], min over p of a[i, p] + b[p, j]), c (m, n), a (m, k), b (k, n). c is neither a nor
// b.
template <class T>
inline void lower_by_product(T* c, int32_t c_stride, const T* a, int32_t a_stride, const T* b,
                             int32_t b_stride, int32_t m, int32_t k, int32_t n) {
  for (int32_t i = 0; i < m; ++i) {
    T* __restrict to = c + i * c_stride;
    const T* from = a + i * a_stride;
    int32_t p = 0;
    for (; p + 4 <= k; p += 4) {
      const T v0 = from[p], v1 = from[p + 1], v2 = from[p + 2], v3 = from[p + 3];
      const T* __restrict r0 = b + p * b_stride;
      const T* __restrict r1 = r0 + b_stride, * __restrict r2 = r1 + b_stride, * __restrict r3 = r2 + b_stride;
      for (int32_t j = 0; j < n; ++j) {
        const T one = least(static_cast<T>(v0 + r0[j]), static_cast<T>(v1 + r1[j]));
        const T two = least(static_cast<T>(v2 + r2[j]), static_cast<T>(v3 + r3[j]));
        to[j] = least(to[j], least(one, two));
      }
    }
    for (; p < k; ++p) lower(to, from[p], b + p * b_stride, n);
  }
}

template <class T>
inline void copy(T* __restrict to, int32_t to_stride, const T* __restrict from, int32_t from_stride,
                 int32_t rows, int32_t columns) {
  for (int32_t i = 0; i < rows; ++i)
    for (int32_t j = 0; j < columns; ++j) to[i * to_stride + j] = from[i * from_stride + j];
}

}  // namespace apsp::explore
