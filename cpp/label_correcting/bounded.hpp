// The search that touches only what is near, first in, first out, and the first arcs of its shortest paths.
// Included by kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "label_correcting/relax.hpp"

namespace apsp::label_correcting::APSP_SIMD {

constexpr std::uint8_t kMet = 2;  // it is in lists[2]

template <class L>
bool search_bounded(LabelSearch<L>& search) {
  Relaxing<L> relaxing{search};
  std::int64_t met = search.waiting;
  for (std::int64_t i = 0; i < met; ++i) {
    search.lists[2][i] = search.lists[0][i];
    search.marks[search.lists[0][i]] |= kMet;
  }
  while (search.waiting > 0) {
    std::int64_t found = 0;
    std::int32_t* next = search.lists[1];
    for (std::int64_t i = 0; i < search.waiting; ++i) {
      const std::int32_t u = search.lists[0][i];
      search.marks[u] = kMet;
      relaxing.relax(u, [&](std::int32_t v, const Line<L>&, const Mark(&)[Line<L>::kVectors]) {
        const std::uint8_t mark = search.marks[v];
        if ((mark & kWaits) != 0) return;
        next[found++] = v;
        if (mark == 0) search.lists[2][met++] = v;
        search.marks[v] = kMet | kWaits;
      });
      if (relaxing.stop()) return false;
    }
    search.lists[1] = search.lists[0];
    search.lists[0] = next;
    search.waiting = found;
  }
  search.visits = relaxing.taken;
  search.met = met;
  return true;
}

// a, and b in the lanes with a mark.
template <class H, class V>
inline V chosen(Mark mark, V a, V b) {
#if defined(__AVX512BW__)
  if constexpr (sizeof(H) == 1) return (V)_mm512_mask_mov_epi8((__m512i)a, mark, (__m512i)b);
  if constexpr (sizeof(H) == 2)
    return (V)_mm512_mask_mov_epi16((__m512i)a, static_cast<__mmask32>(mark), (__m512i)b);
  if constexpr (sizeof(H) == 4)
    return (V)_mm512_mask_mov_epi32((__m512i)a, static_cast<__mmask16>(mark), (__m512i)b);
  if constexpr (sizeof(H) == 8)
    return (V)_mm512_mask_mov_epi64((__m512i)a, static_cast<__mmask8>(mark), (__m512i)b);
#else
  return (V)(((Mark)a & ~mark) | ((Mark)b & mark));
#endif
}

// A vertex takes the first arc of a predecessor on a shortest path that has one. Few rounds do, since the
// vertices come about in the order of distances. Arcs of length zero lead in no circle: a lane is set once.
template <class L>
bool first_arcs(LabelSearch<L>& search, FirstArc<L>* first) {
  using H = FirstArc<L>;
  using Vector = typename Lanes<L>::Vector;
  using Arcs = typename Lanes<H>::Vector;
  constexpr int kVectors = Line<L>::kVectors, kCount = Lanes<L>::kCount;
  constexpr std::int64_t kLanes = rows::kLabelLanes<L>;
  Relaxing<L> relaxing{search};
  std::int32_t* const open = search.lists[1];
  for (std::int64_t i = 0; i < search.met; ++i) open[i] = search.lists[2][i];
  const Vector none = splat_label<L>(search.none);
  for (std::int64_t count = search.met, changed = 1; count > 0 && changed > 0;) {
    std::int64_t kept = 0;
    changed = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t v = open[i];
      H* const to = first + v * kLanes;
      Line<L> own = Line<L>::load(relaxing.line(v));
      Line<H> arcs = Line<H>::load(to);
      Mark set = {};
      for (std::int64_t a = search.graph.in_start[v]; a < search.graph.in_start[v + 1]; ++a) {
        const rows::LaneArc<L>& arc = search.graph.in[a];
        const L* labels = relaxing.line(arc.vertex);
        const H* from = first + arc.vertex * kLanes;
        const Vector weight = splat<L>(arc.weight);
        for (int k = 0; k < kVectors; ++k) {
          const Arcs there = Lanes<H>::load(from + k * kCount);
          const Mark tight = equal<L>(sum<L>(Lanes<L>::load(labels + k * kCount), weight), own.part[k]) &
                             less<H>(Arcs{}, there) & equal<H>(arcs.part[k], Arcs{});
          set |= tight;
          arcs.part[k] = chosen<H>(tight, arcs.part[k], there);
        }
      }
      if (any(set)) {
        arcs.store(to);
        ++changed;
      }
      Mark left = {};
      for (int k = 0; k < kVectors; ++k) left |= less<L>(own.part[k], none) & equal<H>(arcs.part[k], Arcs{});
      if (any(left)) open[kept++] = v;
      if (relaxing.stop()) return false;
    }
    count = kept;
  }
  return true;
}

}  // namespace apsp::label_correcting::APSP_SIMD
