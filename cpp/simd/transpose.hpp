// at(j)[i] = from[i][j] for 16 x 16 values, in registers. Included by kernels_simd.cpp only: see
// simd/dispatch.hpp.
#pragma once
#include <cstdint>
#include <utility>

#include "simd/lanes.hpp"

namespace apsp::simd::APSP_SIMD {

#if defined(__AVX512BW__)
// Swaps the upper right and the lower left quarter of every 2 kStep x 2 kStep block, of rows kStep apart.
template <int kStep, class Row, int... kColumn>
inline void exchange(Row& upper, Row& lower, std::integer_sequence<int, kColumn...>) {
  const Row first =
      __builtin_shufflevector(upper, lower, (kColumn & kStep ? 16 + kColumn - kStep : kColumn)...);
  lower = __builtin_shufflevector(upper, lower, (kColumn & kStep ? 16 + kColumn : kColumn + kStep)...);
  upper = first;
}

template <int kStep, class Row>
inline void exchange_all(Row (&rows)[16]) {
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i)
    if ((i & kStep) == 0) exchange<kStep>(rows[i], rows[i + kStep], std::make_integer_sequence<int, 16>{});
}

template <class V, class At>
inline void transpose_whole(const V (&from)[16][16], const At& at) {
  typedef V Row __attribute__((vector_size(16 * sizeof(V))));
  Row rows[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) __builtin_memcpy(&rows[i], &from[i][0], sizeof(Row));
  exchange_all<8>(rows);
  exchange_all<4>(rows);
  exchange_all<2>(rows);
  exchange_all<1>(rows);
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) __builtin_memcpy(at(i), &rows[i], sizeof(Row));
}
#endif

// 4 x 4 values at a time; four rows are written completely before the next four, since 16 rows that are far
// apart may not stay in the first-level cache.
template <class V, class At>
inline void transpose_by_four(const V (&from)[16][16], const At& at) {
  typedef V Four __attribute__((vector_size(4 * sizeof(V))));
  for (int j = 0; j < 16; j += 4) {
    for (int i = 0; i < 16; i += 4) {
      Four row[4];
      for (int k = 0; k < 4; ++k) __builtin_memcpy(&row[k], &from[i + k][j], sizeof(Four));
      const Four low02 = __builtin_shufflevector(row[0], row[2], 0, 4, 1, 5);
      const Four high02 = __builtin_shufflevector(row[0], row[2], 2, 6, 3, 7);
      const Four low13 = __builtin_shufflevector(row[1], row[3], 0, 4, 1, 5);
      const Four high13 = __builtin_shufflevector(row[1], row[3], 2, 6, 3, 7);
      const Four column[4] = {__builtin_shufflevector(low02, low13, 0, 4, 1, 5),
                              __builtin_shufflevector(low02, low13, 2, 6, 3, 7),
                              __builtin_shufflevector(high02, high13, 0, 4, 1, 5),
                              __builtin_shufflevector(high02, high13, 2, 6, 3, 7)};
      for (int k = 0; k < 4; ++k) __builtin_memcpy(at(j + k) + i, &column[k], sizeof(Four));
    }
  }
}

template <class V, class At>
inline void transpose_to(const V (&from)[16][16], const At& at) {
#if defined(__AVX512BW__)
  if constexpr (sizeof(V) == 4) return transpose_whole(from, at);
#endif
  if constexpr (sizeof(V) == 4) return transpose_by_four(from, at);
  // Rows of 2-byte values are one vector, and those of 8-byte values whole cache lines: through the stack.
  constexpr int kBytes = kVectorBytes < 16 * sizeof(V) ? kVectorBytes : 16 * sizeof(V);
  constexpr int kPart = kBytes / static_cast<int>(sizeof(V));
  typedef V Part __attribute__((vector_size(kBytes)));
  alignas(64) V turned[16][16];
  transpose_by_four(from, [&](int j) { return &turned[j][0]; });
  for (int j = 0; j < 16; ++j) {
    V* row = at(j);
    for (int i = 0; i < 16; i += kPart) {
      Part part;
      __builtin_memcpy(&part, &turned[j][i], sizeof part);
      __builtin_memcpy(row + i, &part, sizeof part);
    }
  }
}

// Rows that lie `stride` apart, close enough to stay in the cache.
template <class V>
inline void transpose(const V (&from)[16][16], V* to, std::int64_t stride) {
  const auto at = [=](int j) { return to + j * stride; };
#if defined(__AVX512BW__)
  if constexpr (sizeof(V) == 4) return transpose_whole(from, at);
#endif
  transpose_by_four(from, at);
}

}  // namespace apsp::simd::APSP_SIMD
