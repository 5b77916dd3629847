// Sums of amounts over the lines of a batch, taken while the lines are in the cache. Included by
// kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include <type_traits>

#include "elimination/kernels.hpp"
#include "simd/lanes.hpp"

namespace apsp::elimination::APSP_SIMD {

// Amounts of lines: those of line i are values[places[i] * kinds + k].
struct Amounts {
  const double* values;
  const Vertex* places;
  std::int64_t kinds;

  const double* of(std::int64_t row) const { return values + places[row] * kinds; }
};

// Cutoffs and kinds from (c, k) on, whose sums stay in registers while the lines are read.
struct Tile {
  std::int64_t c, k;
};

template <class T>
struct Weights {
  using Index = std::int64_t;
#if defined(__AVX512BW__)
  static constexpr int kLanes = 8;  // lanes at a time: the number of 64-bit sums in a vector
#else
  static constexpr int kLanes = 4;
#endif
  typedef std::int64_t Longs __attribute__((vector_size(kLanes * 8)));
  typedef double Doubles __attribute__((vector_size(kLanes * 8)));
  using Narrow = std::make_unsigned_t<T>;
  using L = simd::APSP_SIMD::Lanes<T>;
  using N = simd::APSP_SIMD::Lanes<Narrow>;
  static constexpr int kCutoffs = 4, kKinds = 3;  // of a tile
  static constexpr Index kLines = 64;             // that are added together

  // kLanes distances. GCC would convert one after the other.
  static void widen(const T* from, Longs& to) {
#if defined(__AVX512BW__)
    if constexpr (sizeof(T) == 2)
      to = (Longs)_mm512_cvtepu16_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    else
      to = (Longs)_mm512_cvtepi32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
#elif defined(__AVX2__)
    if constexpr (sizeof(T) == 2)
      to = (Longs)_mm256_cvtepu16_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
    else
      to = (Longs)_mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#else
    to = Longs{from[0], from[1], from[2], from[3]};
#endif
  }

  // NC cutoffs and NK kinds of some lanes.
  template <int NC, int NK, bool kDecay>
  static void add_lines(const T* line, Index lanes, Index count, const Amounts& amounts, const LaneSums& to,
                        Tile tile, Index lane) {
    Doubles sums[NC][NK];
    Longs cutoffs[NC];
    double* at[NC][NK];
#pragma GCC unroll 8
    for (int i = 0; i < NC; ++i) {
      cutoffs[i] = to.cutoffs[tile.c + i] - Longs{};
#pragma GCC unroll 8
      for (int j = 0; j < NK; ++j) {
        at[i][j] = to.sums + ((tile.c + i) * to.kinds + tile.k + j) * lanes + lane;
        __builtin_memcpy(&sums[i][j], at[i][j], sizeof(Doubles));
      }
    }
    const std::int64_t longest = to.cutoffs[to.cutoff_count - 1];
    for (Index row = 0; row < count; ++row, line += lanes) {
      const double* own = amounts.of(row) + tile.k;
      Longs distance;
      widen(line, distance);
      Doubles factor = Doubles{} + 1;
      if constexpr (kDecay)
        for (int i = 0; i < kLanes; ++i) factor[i] = distance[i] <= longest ? to.decayed[distance[i]] : 0.0;
#pragma GCC unroll 8
      for (int i = 0; i < NC; ++i) {
        const Longs within = distance <= cutoffs[i];
#pragma GCC unroll 8
        for (int j = 0; j < NK; ++j) {
          const double amount = own[j];
          const Doubles more = kDecay ? sums[i][j] + amount * factor : sums[i][j] + amount;
          sums[i][j] = within ? more : sums[i][j];
        }
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < NC; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < NK; ++j) __builtin_memcpy(at[i][j], &sums[i][j], sizeof(Doubles));
  }

  // NK amounts of each of at most kLines lines, as entries of packed operands; false if a sum may not fit T.
  template <int NK>
  static bool pack(Index count, const Amounts& amounts, Index k, typename N::Packed (&packed)[kLines][NK]) {
    double sums[NK] = {};
    for (Index row = 0; row < count; ++row)
      for (int j = 0; j < NK; ++j) sums[j] += amounts.of(row)[k + j];
    for (int j = 0; j < NK; ++j)
      if (sums[j] > static_cast<double>(static_cast<Narrow>(-1))) return false;
    for (Index row = 0; row < count; ++row)
      for (int j = 0; j < NK; ++j) packed[row][j] = N::pack(static_cast<Narrow>(amounts.of(row)[k + j]));
    return true;
  }

  static typename N::Vector add_where(typename N::Vector within, typename N::Vector sum,
                                      typename N::Vector amount) {
#if defined(__AVX512BW__)
    return within ? sum + amount : sum;
#else
    return sum + (within & amount);
#endif
  }

  // As add_lines, of whole amounts.
  template <int NC, int NK>
  static void count_lines(const T* line, Index lanes, Index count,
                          const typename N::Packed (&packed)[kLines][NK], const LaneSums& to, Tile tile,
                          Index lane) {
    typename N::Vector sums[NC][NK] = {};
    typename L::Vector cutoffs[NC];
#pragma GCC unroll 8
    for (int i = 0; i < NC; ++i) cutoffs[i] = static_cast<T>(to.cutoffs[tile.c + i]) - typename L::Vector{};
    for (Index row = 0; row < count; ++row) {
      const typename L::Vector distance = L::load(line + row * lanes);
      typename N::Vector amounts[NK];
#pragma GCC unroll 8
      for (int j = 0; j < NK; ++j) amounts[j] = N::splat(packed[row][j]);
#pragma GCC unroll 8
      for (int i = 0; i < NC; ++i) {
        const auto within = (typename N::Vector)(distance <= cutoffs[i]);
#pragma GCC unroll 8
        for (int j = 0; j < NK; ++j) sums[i][j] = add_where(within, sums[i][j], amounts[j]);
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < NC; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < NK; ++j) {
        double* at = to.sums + ((tile.c + i) * to.kinds + tile.k + j) * lanes + lane;
        Narrow more[N::kCount];
        N::store(more, sums[i][j]);
        for (int q = 0; q < N::kCount; ++q) at[q] += static_cast<double>(more[q]);
      }
  }

  template <int NC, int NK>
  static void add_tile(const T* line, Index lanes, Index count, const Amounts& amounts,
                       const typename N::Packed (*packed)[kLines][NK], const LaneSums& to, Tile tile) {
    if (packed != nullptr) {
      for (Index lane = 0; lane < lanes; lane += L::kCount)
        count_lines<NC, NK>(line + lane, lanes, count, *packed, to, tile, lane);
      return;
    }
    for (Index lane = 0; lane < lanes; lane += kLanes) {
      if (to.decayed != nullptr)
        add_lines<NC, NK, true>(line + lane, lanes, count, amounts, to, tile, lane);
      else
        add_lines<NC, NK, false>(line + lane, lanes, count, amounts, to, tile, lane);
    }
  }

  template <int NK>
  static void add_kinds(const T* line, Index lanes, Index count, const Amounts& amounts, const LaneSums& to,
                        Index k) {
    typename N::Packed packed[kLines][NK];
    const bool fits = to.whole && pack<NK>(count, amounts, k, packed);
    const auto* in = fits ? &packed : nullptr;
    Index c = 0;
    for (; c + kCutoffs <= to.cutoff_count; c += kCutoffs)
      add_tile<kCutoffs, NK>(line, lanes, count, amounts, in, to, {c, k});
    if (to.cutoff_count - c == 3) add_tile<3, NK>(line, lanes, count, amounts, in, to, {c, k});
    if (to.cutoff_count - c == 2) add_tile<2, NK>(line, lanes, count, amounts, in, to, {c, k});
    if (to.cutoff_count - c == 1) add_tile<1, NK>(line, lanes, count, amounts, in, to, {c, k});
  }

  static void weigh(const T* line, Index lanes, Index count, const double* amounts, const Vertex* places,
                    const LaneSums& to) {
    for (Index row = 0; row < count; row += kLines, line += kLines * lanes) {
      const Index here = count - row < kLines ? count - row : kLines;
      const Amounts some{amounts, places + row, to.kinds};
      Index k = 0;
      for (; k + kKinds <= to.kinds; k += kKinds) add_kinds<kKinds>(line, lanes, here, some, to, k);
      if (to.kinds - k == 2) add_kinds<2>(line, lanes, here, some, to, k);
      if (to.kinds - k == 1) add_kinds<1>(line, lanes, here, some, to, k);
    }
  }
};

}  // namespace apsp::elimination::APSP_SIMD
