// Code shared by both orders of work: relaxing the arcs of a vertex, and gathering into one, in all lanes at
// once. Included by kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "label_correcting/kernels.hpp"
#include "rows/lane_lines.hpp"

namespace apsp::label_correcting::APSP_SIMD {

using namespace rows::APSP_SIMD;

// Marks of a vertex.
constexpr std::uint8_t kWaits = 1;     // it is in the list of the round: its arcs will be relaxed
constexpr std::uint8_t kDirty = 2;     // a label of a predecessor has changed since it gathered
constexpr std::uint8_t kBeyond = 4;    // it has a label beyond the window that its arcs have not seen
constexpr std::uint8_t kInBeyond = 8;  // it is in the list of those

constexpr std::int64_t kRarely = 0x3ff;  // vertices between two checks whether to stop

template <class L>
struct Relaxing {
  using Vector = typename Lanes<L>::Vector;
  static constexpr int kVectors = Line<L>::kVectors, kCount = Lanes<L>::kCount;
  static constexpr std::int64_t kLanes = rows::kLabelLanes<L>;

  LabelSearch<L>& s;
  std::int64_t taken = 0;

  L* line(std::int64_t v) const { return s.labels + v * kLanes; }
  bool stop() { return (++taken & kRarely) == 0 && s.stopped(s.control); }

  // Labels of v from all its predecessors; returns whether one became smaller.
  bool gather(std::int64_t v) const {
    L* own = line(v);
    Line<L> best = Line<L>::load(own);
    const rows::LaneArc<L>* end = s.graph.in + s.graph.in_start[v + 1];
    for (const rows::LaneArc<L>* arc = s.graph.in + s.graph.in_start[v]; arc < end; ++arc) {
      prefetch_line(line(arc[rows::kArcsAhead].vertex));
      const L* from = line(arc->vertex);
      const Vector weight = splat<L>(arc->weight);
      for (int k = 0; k < kVectors; ++k)
        best.part[k] = smaller<L>(best.part[k], sum<L>(Lanes<L>::load(from + k * kCount), weight));
    }
    Mark fell = {};
    for (int k = 0; k < kVectors; ++k) fell |= less<L>(best.part[k], Lanes<L>::load(own + k * kCount));
    if (!any(fell)) return false;
    best.store(own);
    return true;
  }

  // Relaxes the arcs of u: improved(head, sums, marks of the lanes that became smaller).
  template <class Improved>
  void relax(std::int64_t u, const Improved& improved) const {
    relax(u, Line<L>::load(line(u)), improved);
  }
  // The same from other labels of u.
  template <class Improved>
  void relax(std::int64_t u, const Line<L>& from, const Improved& improved) const {
    const rows::LaneArc<L>* end = s.graph.out + s.graph.out_start[u + 1];
    for (const rows::LaneArc<L>* arc = s.graph.out + s.graph.out_start[u]; arc < end; ++arc) {
      L* head = line(arc->vertex);
      const Vector weight = splat<L>(arc->weight);
      Line<L> sums;
      Mark fell[kVectors], some = {};
      for (int k = 0; k < kVectors; ++k) {
        sums.part[k] = sum<L>(from.part[k], weight);
        fell[k] = less<L>(sums.part[k], Lanes<L>::load(head + k * kCount));
        some |= fell[k];
      }
      if (!any(some)) continue;
      for (int k = 0; k < kVectors; ++k)
        Lanes<L>::store(head + k * kCount, smaller<L>(sums.part[k], Lanes<L>::load(head + k * kCount)));
      improved(arc->vertex, sums, fell);
    }
  }
};

template <class L>
L largest(const LabelSearch<L>& search) {
  using Vector = typename Lanes<L>::Vector;
  const Vector none = splat_label<L>(search.none);
  Vector found = {};
  const L* end = search.labels + search.graph.n * rows::kLabelLanes<L>;
  for (const L* from = search.labels; from < end; from += Lanes<L>::kCount) {
    const Vector value = Lanes<L>::load(from);
    const Vector counted = value < none ? value : Vector{};
    found = simd::APSP_SIMD::max<L>(found, counted);
  }
  L most = {};
  for (int i = 0; i < Lanes<L>::kCount; ++i) most = found[i] > most ? found[i] : most;
  return most;
}

}  // namespace apsp::label_correcting::APSP_SIMD
