// Rows from rows that are known, a vector of columns after another. Included by kernels_simd.cpp only: see
// simd/dispatch.hpp.
#pragma once
#include <type_traits>

#include "rows/kernels.hpp"
#include "semiring/length.hpp"
#include "simd/lanes.hpp"

namespace apsp::rows::APSP_SIMD {

// Lengths are at least 0; a sum with "no path" does not wrap if it is unsigned.
template <class T>
using Unwrapped = std::conditional_t<std::is_same_v<T, std::int32_t>, std::uint32_t,
                                     std::conditional_t<std::is_same_v<T, std::int64_t>, std::uint64_t, T>>;

template <class T>
void join_rows(const RowJoins<T>& s, std::int64_t first, std::int64_t last) {
  using U = Unwrapped<T>;
  using Lane = simd::APSP_SIMD::Lanes<U>;
  using Vector = typename Lane::Vector;
  constexpr std::int64_t kCount = Lane::kCount, kAtOnce = 4;
  const auto none = static_cast<U>(semiring::kNoPath<T>);
  for (std::int64_t i = 0; i < s.count; ++i) {
    const JoinedRow& row = s.rows[i];
    U* out = reinterpret_cast<U*>(s.dist + row.row * s.dist_stride);
    const RowArc<T>* begin = s.arcs + s.start[i];
    const RowArc<T>* end = s.arcs + s.start[i + 1];
    const auto head = [&](const RowArc<T>* arc) {
      return reinterpret_cast<const U*>(s.dist + arc->row * s.dist_stride);
    };
    std::int64_t column = first;
    for (; column + kAtOnce * kCount <= last; column += kAtOnce * kCount) {
      Vector best[kAtOnce];
      for (auto& part : best) part = Lane::splat(Lane::pack(none));
      for (const RowArc<T>* arc = begin; arc < end; ++arc) {
        const U* from = head(arc) + column;
        const Vector weight = Lane::splat(Lane::pack(static_cast<U>(arc->weight)));
        for (int k = 0; k < kAtOnce; ++k)
          best[k] = simd::APSP_SIMD::min<U>(best[k],
                                            simd::APSP_SIMD::add<U>(Lane::load(from + k * kCount), weight));
      }
      for (int k = 0; k < kAtOnce; ++k) Lane::store(out + column + k * kCount, best[k]);
    }
    for (; column < last; ++column) {
      U best = none;
      for (const RowArc<T>* arc = begin; arc < end; ++arc) {
        const U length = head(arc)[column];
        const U sum = static_cast<U>(length + static_cast<U>(arc->weight));
        if (!(sum < length) && sum < best) best = sum;
      }
      out[column] = best;
    }
    if (row.vertex >= first && row.vertex < last) out[row.vertex] = U{};
  }
}

}  // namespace apsp::rows::APSP_SIMD
