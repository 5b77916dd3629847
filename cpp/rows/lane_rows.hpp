// From lines of labels to rows of distances, 16 columns of 16 lanes at a time. Included by kernels_simd.cpp
// only: see simd/dispatch.hpp.
#pragma once
#include "rows/kernels.hpp"
#include "rows/lane_lines.hpp"
#include "semiring/length.hpp"
#include "simd/transpose.hpp"

namespace apsp::rows::APSP_SIMD {

constexpr int kTile = 16;

// Writes tile[column][lane] to rows[lane][column].
template <class T>
inline void write_tile(const T (&tile)[kTile][kTile], T* const* rows, std::int64_t lanes, std::int64_t column,
                       std::int64_t columns) {
  if (lanes >= kTile && columns - column >= kTile) {
    simd::APSP_SIMD::transpose_to(tile, [=](int lane) { return rows[lane] + column; });
    return;
  }
  T turned[kTile][kTile];
  simd::APSP_SIMD::transpose_to(tile, [&](int lane) { return &turned[lane][0]; });
  const std::int64_t width = columns - column < kTile ? columns - column : kTile;
  for (std::int64_t lane = 0; lane < lanes && lane < kTile; ++lane)
    __builtin_memcpy(rows[lane] + column, turned[lane], static_cast<std::size_t>(width) * sizeof(T));
}

// Lengths may wrap when a shift is added: after both shifts they are in the range again.
template <class T>
struct Wrapping {
  using Type = T;
};
template <>
struct Wrapping<std::int32_t> {
  using Type = std::uint32_t;
};
template <>
struct Wrapping<std::int64_t> {
  using Type = std::uint64_t;
};

template <class L, class T>
void write_lanes(const LaneRows<L, T>& s) {
  using U = typename Wrapping<T>::Type;
  constexpr std::int64_t kLanes = kLabelLanes<L>;
  alignas(64) T tile[kTile][kTile];
  alignas(64) U row_shift[kLanes] = {};
  if (s.row_shift != nullptr)
    for (std::int64_t lane = 0; lane < s.lanes; ++lane) row_shift[lane] = static_cast<U>(s.row_shift[lane]);
  for (std::int64_t column = 0; column < s.columns; column += kTile) {
    const std::int64_t width = s.columns - column < kTile ? s.columns - column : kTile;
    for (std::int64_t first = 0; first < s.lanes; first += kTile) {
      const std::int64_t there = kLanes - first < kTile ? kLanes - first : kTile;
      for (std::int64_t j = 0; j < width; ++j) {
        const L* labels = s.labels + s.vertices[column + j] * kLanes + first;
        const U shift = s.column_shift != nullptr ? static_cast<U>(s.column_shift[column + j]) : U{};
        for (std::int64_t lane = 0; lane < there; ++lane) {
          const U length = static_cast<U>(labels[lane]) + (shift + row_shift[first + lane]);
          tile[j][lane] = labels[lane] < s.none ? static_cast<T>(length) : semiring::kNoPath<T>;
        }
      }
      write_tile(tile, s.rows + first, s.lanes - first, column, s.columns);
    }
  }
}

}  // namespace apsp::rows::APSP_SIMD
