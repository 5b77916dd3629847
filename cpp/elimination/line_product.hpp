// Products of matrices whose entries are lines of lanes: kRows x kColumns entries that are written stay in
// registers, for kRows + kColumns loads per kRows kColumns sums. Included by kernels_simd.cpp only: see
// simd/dispatch.hpp.
#pragma once
#include "elimination/kernels.hpp"
#include "simd/operations.hpp"

namespace apsp::elimination::APSP_SIMD {

template <class Ops>
struct LineProduct {
  using T = typename Ops::Value;
  using Index = std::int64_t;
  using L = simd::APSP_SIMD::Lanes<T>;
  using Vector = typename L::Vector;

#if defined(__AVX512BW__) || defined(__aarch64__)
  static constexpr int kRows = 4, kColumns = 4;
#else
  static constexpr int kRows = 2, kColumns = 4;
#endif

  // The strides of a tile, in values.
  struct Strides {
    Index to, a, b, line;
  };

  template <int kHeight, int kWidth>
  static void tile(T* to, const T* a, const T* b, Index depth, const Strides& stride) {
    Vector best[kHeight][kWidth];
#pragma GCC unroll 4
    for (int i = 0; i < kHeight; ++i)
#pragma GCC unroll 4
      for (int j = 0; j < kWidth; ++j) best[i][j] = L::load(to + i * stride.to + j * stride.line);
    for (Index p = 0; p < depth; ++p, a += stride.line, b += stride.b) {
      Vector value[kWidth];
#pragma GCC unroll 4
      for (int j = 0; j < kWidth; ++j) value[j] = L::load(b + j * stride.line);
#pragma GCC unroll 4
      for (int i = 0; i < kHeight; ++i) {
        const Vector step = L::load(a + i * stride.a);
#pragma GCC unroll 4
        for (int j = 0; j < kWidth; ++j) best[i][j] = Ops::choose(best[i][j], Ops::join(step, value[j]));
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < kHeight; ++i)
#pragma GCC unroll 4
      for (int j = 0; j < kWidth; ++j) L::store(to + i * stride.to + j * stride.line, best[i][j]);
  }

  // kWidth columns, for all rows: tiles of kHeight rows, then of half as many.
  template <int kHeight, int kWidth>
  static void rows(Index count, T* to, const T* a, const T* b, Index depth, const Strides& stride) {
    Index i = 0;
    for (; i + kHeight <= count; i += kHeight)
      tile<kHeight, kWidth>(to + i * stride.to, a + i * stride.a, b, depth, stride);
    if constexpr (kHeight > 1)
      if (i < count)
        rows<kHeight / 2, kWidth>(count - i, to + i * stride.to, a + i * stride.a, b, depth, stride);
  }

  template <int kWidth>
  static void columns(Index height, Index count, T* to, const T* a, const T* b, Index depth,
                      const Strides& stride) {
    Index j = 0;
    for (; j + kWidth <= count; j += kWidth)
      for (Index lane = 0; lane < stride.line; lane += L::kCount)
        rows<kRows, kWidth>(height, to + j * stride.line + lane, a + lane, b + j * stride.line + lane, depth,
                            stride);
    if constexpr (kWidth > 1)
      if (j < count)
        columns<kWidth / 2>(height, count - j, to + j * stride.line, a, b + j * stride.line, depth, stride);
  }

  static void multiply(const LineMatrix<T>& to, const LineMatrix<T>& a, const LineMatrix<T>& b, Index lanes) {
    const Strides stride{to.stride * lanes, a.stride * lanes, b.stride * lanes, lanes};
    columns<kColumns>(to.rows, to.columns, to.data, a.data, b.data, a.columns, stride);
  }

  static void merge(T* to, const Index* lines, const T* from, Index count, Index lanes) {
    for (Index i = 0; i < count; ++i, from += lanes) {
      T* line = to + lines[i] * lanes;
      for (Index lane = 0; lane < lanes; lane += L::kCount)
        L::store(line + lane, Ops::choose(L::load(line + lane), L::load(from + lane)));
    }
  }
};

}  // namespace apsp::elimination::APSP_SIMD
