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
