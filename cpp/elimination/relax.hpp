// Single values along a panel. Included by kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "elimination/kernels.hpp"
#include "simd/operations.hpp"
#include "simd/part.hpp"

namespace apsp::elimination::APSP_SIMD {

template <class Ops>
struct Relaxing {
  using T = typename Ops::Value;
  using Index = std::int64_t;
  using L = simd::APSP_SIMD::Lanes<T>;
  using Vector = typename L::Vector;

  static Vector splat(T value) { return value - Vector{}; }

  static T add(T a, T b) {
    if constexpr (sizeof(T) == 2) return static_cast<T>(a + b > 65535 ? 65535 : a + b);
    return static_cast<T>(a + b);
  }

  static void relax(T* row, const T* pivot, T value, Index count) {
    using namespace simd::APSP_SIMD;
    const Vector step = splat(value);
    Index j = 0;
    for (; j + L::kCount <= count; j += L::kCount)
      L::store(row + j, Ops::choose(L::load(row + j), Ops::join(step, L::load(pivot + j))));
    if constexpr (kParts) {
      const Index rest = count - j;
      if (rest == 0) return;
      const Vector sum = Ops::join(step, load_part<T>(pivot + j, rest));
      store_part<T>(row + j, Ops::choose(load_part<T>(row + j, rest), sum), rest);
    } else {
      for (; j < count; ++j) {
        const T sum = add(value, pivot[j]);
        row[j] = sum < row[j] ? sum : row[j];
      }
    }
  }

  // The shortest of the sums for kWide vectors of columns, which stay in registers.
  template <int kWide>
  static void add_columns(T* row, const T* values, Index height, const T* panel, Index stride) {
    Vector best[kWide];
    for (Vector& each : best) each = splat(semiring::Bounds<T>::kNoPath);
    for (Index h = 0; h < height; ++h, panel += stride) {
      const Vector step = splat(values[h]);
      for (int i = 0; i < kWide; ++i)
        best[i] = Ops::choose(best[i], Ops::join(step, L::load(panel + i * L::kCount)));
    }
    for (int i = 0; i < kWide; ++i) L::store(row + i * L::kCount, best[i]);
  }

  static void add(T* row, const T* values, Index height, const T* panel, Index stride, Index count) {
    using namespace simd::APSP_SIMD;
    Index j = 0;
    for (; j + 4 * L::kCount <= count; j += 4 * L::kCount)
      add_columns<4>(row + j, values, height, panel + j, stride);
    for (; j + L::kCount <= count; j += L::kCount) add_columns<1>(row + j, values, height, panel + j, stride);
    if constexpr (kParts) {
      const Index rest = count - j;
      if (rest == 0) return;
      Vector best = splat(semiring::Bounds<T>::kNoPath);
      for (Index h = 0; h < height; ++h)
        best = Ops::choose(best, Ops::join(splat(values[h]), load_part<T>(panel + h * stride + j, rest)));
      store_part<T>(row + j, best, rest);
    } else {
      for (; j < count; ++j) {
        T best = semiring::Bounds<T>::kNoPath;
        for (Index h = 0; h < height; ++h) {
          const T sum = add(values[h], panel[h * stride + j]);
          best = sum < best ? sum : best;
        }
        row[j] = best;
      }
    }
  }

  static void relax_chosen(T* row, const Chosen& from, const T* values, const T* panel, Index stride,
                           Index count) {
    using namespace simd::APSP_SIMD;
    Index j = 0;
    for (; j + L::kCount <= count; j += L::kCount) {
      Vector best = L::load(row + j);
      for (Index h = 0; h < from.count; ++h)
        best = Ops::choose(
            best, Ops::join(splat(values[from.line[h]]), L::load(panel + from.entry[h] * stride + j)));
      L::store(row + j, best);
    }
    if constexpr (kParts) {
      const Index rest = count - j;
      if (rest == 0) return;
      Vector best = load_part<T>(row + j, rest);
      for (Index h = 0; h < from.count; ++h)
        best = Ops::choose(best, Ops::join(splat(values[from.line[h]]),
                                           load_part<T>(panel + from.entry[h] * stride + j, rest)));
      store_part<T>(row + j, best, rest);
    } else {
      for (; j < count; ++j) {
        T best = row[j];
        for (Index h = 0; h < from.count; ++h) {
          const T sum = add(values[from.line[h]], panel[from.entry[h] * stride + j]);
          best = sum < best ? sum : best;
        }
        row[j] = best;
      }
    }
  }
};

}  // namespace apsp::elimination::APSP_SIMD
