// Predecessors from final labels, one lane per source: for every vertex, the first arc into it that is tight
// (label of the tail + weight == label of the head) and leads from a smaller label or, at the same label,
// from another component of the arcs of length zero, so that there are no cycles. Other vertices of a
// component follow from its root, and LaneTree completes the way from where paths enter it to the root.
// Included by kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "rows/lane_rows.hpp"

namespace apsp::rows::APSP_SIMD {

template <class L>
struct Parents {
  using Vector = typename Lanes<L>::Vector;
  static constexpr int kVectors = Line<L>::kVectors, kCount = Lanes<L>::kCount;
  static constexpr std::int64_t kLanes = kLabelLanes<L>;
  const LaneParents<L>& s;

  static constexpr std::int64_t kAhead = 4, kMostTails = 32, kAtOnce = 16;

  // Of the arcs that find(v) reads first.
  void prefetch_tails(std::int64_t v) const {
    const std::int64_t first = s.rising[v], end = s.graph.in_start[v + 1];
    for (std::int64_t a = end - first < kMostTails ? first : end - kMostTails; a < end; ++a)
      prefetch_line(s.labels + s.graph.in[a].vertex * kLanes);
  }

  // The lanes in which this arc may be the last one of a path.
  void look(const LaneArc<L>& arc, const Line<L>& own, const Mark* reached, Names<L>* found,
            Mark* got) const {
    const L* labels = s.labels + arc.vertex * kLanes;
    const std::int32_t name = s.names[arc.vertex];
    const Vector weight = splat<L>(arc.weight);
    // Integers rise along every arc considered; floats may be equal, if the arc is lost in rounding.
    const bool rises = std::is_integral_v<L> || (s.zero.component != nullptr && arc.weight == 0);
    for (int k = 0; k < kVectors; ++k) {
      const Vector from = Lanes<L>::load(labels + k * kCount);
      Mark tight = equal<L>(sum<L>(from, weight), own.part[k]) & reached[k];
      if (!rises) tight &= less<L>(from, own.part[k]);
      found[k].put(tight, name);
      got[k] |= tight;
    }
  }

  // In hops, the source is before every vertex at distance 1.
  void take_first(const Line<L>& own, Names<L>* found, Mark* got) const {
    const Vector one = splat_label<L>(L{1});
    for (int k = 0; k < kVectors; ++k) {
      Names<L> first;
      __builtin_memcpy(first.part, s.first + k * kCount, sizeof first.part);
      got[k] = equal<L>(own.part[k], one);
      found[k].take(got[k], first);
    }
  }

  // Predecessors of v in all lanes.
  void find(std::int64_t v, std::int32_t* names) {
    const L* line = s.labels + v * kLanes;
    const Line<L> own = Line<L>::load(line);
    Names<L> found[kVectors];
    Mark reached[kVectors], got[kVectors];
    for (int k = 0; k < kVectors; ++k) {
      found[k] = Names<L>::all(-1);
      reached[k] = less<L>(own.part[k], splat_label<L>(s.none));
      got[k] = Mark{};
    }
    if (s.first != nullptr) take_first(own, found, got);
    for (std::int64_t a = s.graph.in_start[v + 1]; a > s.rising[v];) {
      const std::int64_t stop = a - s.rising[v] > kAtOnce ? a - kAtOnce : s.rising[v];
      while (a > stop) look(s.graph.in[--a], own, reached, found, got);
      if (a == s.rising[v]) break;
      Mark open = {};
      for (int k = 0; k < kVectors; ++k) open |= reached[k] & ~got[k];
      if (!any(open)) break;
    }
    const bool joined = s.zero.component != nullptr && s.zero.component[v] != graph::kAlone;
    if (joined) follow_root(v, reached, got, found);
    Mark lacks = {};
    for (int k = 0; k < kVectors; ++k) {
      __builtin_memcpy(names + k * kCount, found[k].part, kCount * sizeof(std::int32_t));
      lacks |= reached[k] & ~got[k];
    }
    if (!joined && any(lacks))
      for (int lane = 0; lane < kLanes; ++lane) s.missing[lane] += line[lane] < s.none && names[lane] < 0;
  }

  // Notes the lanes in which paths enter the component of v there; in the others, its tree leads to v.
  void follow_root(std::int64_t v, const Mark* reached, const Mark* got, Names<L>* found) {
    const std::int32_t before = s.zero.before[v];
    std::int32_t* entries = s.entries + s.zero.component[v] * kLanes;
    for (int k = 0; k < kVectors; ++k) {
      Names<L> first, here = Names<L>::all(graph::kNoEntry);
      here.put(got[k], s.zero.place[v]);
      __builtin_memcpy(first.part, entries + k * kCount, sizeof first.part);
      for (int p = 0; p < Names<L>::kParts; ++p)
        first.part[p] = here.part[p] < first.part[p] ? here.part[p] : first.part[p];
      __builtin_memcpy(entries + k * kCount, first.part, sizeof first.part);
      if (before >= 0) found[k].put(reached[k] & ~got[k], s.names[before]);
    }
  }

  void run() {
    const std::int64_t n = s.graph.n;
    if (s.zero.component != nullptr)
      for (std::int64_t i = 0; i < s.zero.count * kLanes; ++i) s.entries[i] = graph::kNoEntry;
    for (int lane = 0; lane < kLanes; ++lane) s.missing[lane] = 0;
    alignas(64) std::int32_t lines[kTile][kLanes];
    alignas(64) std::int32_t tile[kTile][kTile];
    for (std::int64_t column = 0; column < n; column += kTile) {
      const std::int64_t width = n - column < kTile ? n - column : kTile;
      for (std::int64_t j = 0; j < width; ++j) {
        if (column + j + kAhead < n) prefetch_tails(s.vertices[column + j + kAhead]);
        find(s.vertices[column + j], lines[j]);
      }
      for (std::int64_t first = 0; first < s.lanes; first += kTile) {
        for (int j = 0; j < kTile; ++j) __builtin_memcpy(tile[j], lines[j] + first, sizeof tile[j]);
        write_tile(tile, s.rows + first, s.lanes - first, column, n);
      }
    }
  }
};

template <class L>
void write_lane_parents(const LaneParents<L>& s) {
  Parents<L>{s}.run();
}

}  // namespace apsp::rows::APSP_SIMD
