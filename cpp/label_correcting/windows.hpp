// Windows of distances: everything below `high` is relaxed until nothing changes; then the window moves to
// the nearest label beyond it. Included by kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "label_correcting/relax.hpp"

namespace apsp::label_correcting::APSP_SIMD {

template <class L>
struct Windows : Relaxing<L> {
  using Base = Relaxing<L>;
  using Vector = typename Base::Vector;
  using Base::kCount, Base::kVectors, Base::line, Base::relax, Base::s, Base::stop;

  L high = {};
  std::int64_t beyond = 0;  // vertices in lists[2]

  bool window_round() {
    std::int64_t found = 0;
    std::int32_t* next = s.lists[1];
    const Vector limit = splat_label<L>(high);
    for (std::int64_t i = 0; i < s.waiting; ++i) {
      const std::int32_t u = s.lists[0][i];
      s.marks[u] &= static_cast<std::uint8_t>(~(kWaits | kBeyond));
      relax(u, [&](std::int32_t v, const Line<L>& sums, const Mark(&fell)[kVectors]) {
        Mark inside = {};
        for (int k = 0; k < kVectors; ++k) inside |= fell[k] & less<L>(sums.part[k], limit);
        if (any(inside)) {
          if ((s.marks[v] & kWaits) == 0) next[found++] = v;
          s.marks[v] |= kWaits;
          return;
        }
        if ((s.marks[v] & (kWaits | kInBeyond)) == 0) s.lists[2][beyond++] = v;
        if ((s.marks[v] & kWaits) == 0) s.marks[v] |= kBeyond | kInBeyond;
      });
      if (stop()) return false;
    }
    s.lists[1] = s.lists[0];
    s.lists[0] = next;
    s.waiting = found;
    return true;
  }

  // Moves the vertices with a label in [low, high) from beyond the window into it; returns the nearest label
  // of the others that is not below low.
  L open_window(L low) {
    const Vector lowest = splat_label<L>(low), highest = splat_label<L>(high), none = splat_label<L>(s.none);
    Vector nearest = none;
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < beyond; ++i) {
      const std::int32_t v = s.lists[2][i];
      if ((s.marks[v] & kBeyond) == 0) {
        s.marks[v] &= static_cast<std::uint8_t>(~kInBeyond);
        continue;
      }
      const Line<L> own = Line<L>::load(line(v));
      Mark inside = {};
      Vector ahead = none;
      for (int k = 0; k < kVectors; ++k) {
        const Vector clipped = at_least(own.part[k], lowest, none);
        ahead = smaller<L>(ahead, clipped);
      }
      inside = less<L>(ahead, highest);
      if (any(inside)) {
        s.marks[v] = kWaits;
        s.lists[0][s.waiting++] = v;
      } else {
        nearest = smaller<L>(nearest, ahead);
        s.lists[2][kept++] = v;
      }
    }
    beyond = kept;
    L least = s.none;
    for (int i = 0; i < kCount; ++i) least = nearest[i] < least ? nearest[i] : least;
    return least;
  }

  static Vector at_least(Vector value, Vector low, Vector otherwise) {
    return value < low ? otherwise : value;
  }

  static L later(L from, L width, L none) {
    const L to = static_cast<L>(from + width);
    return to < from || !(to < none) ? none : to;
  }

  bool run() {
    high = later(L{0}, s.width, s.none);
    for (;;) {
      while (s.waiting > 0)
        if (!window_round()) return false;
      if (beyond == 0) return true;
      L low = high;
      high = later(low, s.width, s.none);
      while (s.waiting == 0 && beyond > 0) {
        const L least = open_window(low);
        if (s.waiting > 0 || beyond == 0) break;
        low = least;
        high = later(least, s.width, s.none);
        if (!(low < high)) high = s.none;
      }
    }
  }
};

template <class L>
bool search_windows(LabelSearch<L>& search) {
  Windows<L> windows{{search}};
  const bool done = windows.run();
  search.visits = windows.taken;
  return done;
}

}  // namespace apsp::label_correcting::APSP_SIMD
