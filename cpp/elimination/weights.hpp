// Sums of amounts over the lines of a batch, taken while the lines are in the cache. Included by
// kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "elimination/kernels.hpp"

namespace apsp::elimination::APSP_SIMD {

template <class T>
struct Weights {
  using Index = std::int64_t;
#if defined(__AVX512BW__)
  static constexpr int kLanes = 8;  // lanes at a time: the number of 64-bit sums in a vector
#else
  static constexpr int kLanes = 4;
#endif
  typedef T Values __attribute__((vector_size(kLanes * sizeof(T))));
  typedef std::int64_t Longs __attribute__((vector_size(kLanes * 8)));
  typedef double Doubles __attribute__((vector_size(kLanes * 8)));
  static constexpr int kCutoffs = 4, kKinds = 3;  // whose sums stay in registers

  // NC cutoffs and NK kinds from (c, k) on, of some lanes.
  template <int NC, int NK, bool kDecay>
  static void add_lines(const T* line, Index lanes, Index count, const double* amounts, const LaneSums& to,
                        Index c, Index k, Index lane) {
    Doubles sums[NC][NK];
    Longs cutoffs[NC];
    double* at[NC][NK];
#pragma GCC unroll 8
    for (int i = 0; i < NC; ++i) {
      cutoffs[i] = to.cutoffs[c + i] - Longs{};
#pragma GCC unroll 8
      for (int j = 0; j < NK; ++j) {
        at[i][j] = to.sums + ((c + i) * to.kinds + k + j) * lanes + lane;
        __builtin_memcpy(&sums[i][j], at[i][j], sizeof(Doubles));
      }
    }
    const std::int64_t longest = to.cutoffs[to.cutoff_count - 1];
    for (Index row = 0; row < count; ++row, line += lanes, amounts += to.kinds) {
      Values value;
      __builtin_memcpy(&value, line, sizeof value);
      const Longs distance = __builtin_convertvector(value, Longs);
      Doubles factor = Doubles{} + 1;
      if constexpr (kDecay)
        for (int i = 0; i < kLanes; ++i) factor[i] = distance[i] <= longest ? to.decayed[distance[i]] : 0.0;
#pragma GCC unroll 8
      for (int i = 0; i < NC; ++i) {
        const Longs within = distance <= cutoffs[i];
#pragma GCC unroll 8
        for (int j = 0; j < NK; ++j) {
          const Doubles more = kDecay ? sums[i][j] + amounts[k + j] * factor : sums[i][j] + amounts[k + j];
          sums[i][j] = within ? more : sums[i][j];
        }
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < NC; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < NK; ++j) __builtin_memcpy(at[i][j], &sums[i][j], sizeof(Doubles));
  }

  template <int NC, int NK>
  static void add_some(const T* line, Index lanes, Index count, const double* amounts, const LaneSums& to,
                       Index c, Index k) {
    for (Index lane = 0; lane < lanes; lane += kLanes) {
      if (to.decayed != nullptr)
        add_lines<NC, NK, true>(line + lane, lanes, count, amounts, to, c, k, lane);
      else
        add_lines<NC, NK, false>(line + lane, lanes, count, amounts, to, c, k, lane);
    }
  }

  template <int NC>
  static void add_kinds(const T* line, Index lanes, Index count, const double* amounts, const LaneSums& to,
                        Index c) {
    Index k = 0;
    for (; k + kKinds <= to.kinds; k += kKinds) add_some<NC, kKinds>(line, lanes, count, amounts, to, c, k);
    if (to.kinds - k == 2) add_some<NC, 2>(line, lanes, count, amounts, to, c, k);
    if (to.kinds - k == 1) add_some<NC, 1>(line, lanes, count, amounts, to, c, k);
  }

  static void weigh(const T* line, Index lanes, Index count, const double* amounts, const LaneSums& to) {
    Index c = 0;
    for (; c + kCutoffs <= to.cutoff_count; c += kCutoffs)
      add_kinds<kCutoffs>(line, lanes, count, amounts, to, c);
    if (to.cutoff_count - c == 3) add_kinds<3>(line, lanes, count, amounts, to, c);
    if (to.cutoff_count - c == 2) add_kinds<2>(line, lanes, count, amounts, to, c);
    if (to.cutoff_count - c == 1) add_kinds<1>(line, lanes, count, amounts, to, c);
  }
};

}  // namespace apsp::elimination::APSP_SIMD
