// The search itself: two orders of work, the same labels at the end. Included by label_kernels_*.cpp only:
// see dense/lanes.hpp about APSP_SIMD.
#pragma once
#include "sparse/label_lines.hpp"

namespace apsp::sparse::APSP_SIMD {

// Marks of a vertex.
constexpr std::uint8_t kWaits = 1;     // it is in the list of the round: its arcs will be relaxed
constexpr std::uint8_t kDirty = 2;     // a label of a predecessor has changed since it gathered
constexpr std::uint8_t kBeyond = 4;    // it has a label beyond the window that its arcs have not seen
constexpr std::uint8_t kInBeyond = 8;  // it is in the list of those

constexpr std::int64_t kRarely = 0x3ff;  // vertices between two looks at whether to stop

template <class L>
struct Search {
  using Vector = typename Lanes<L>::Vector;
  static constexpr int kVectors = Line<L>::kVectors, kCount = Lanes<L>::kCount;
  static constexpr std::int64_t kLanes = kLabelLanes<L>;

  LaneSearch<L>& s;
  std::int64_t taken = 0;

  L* line(std::int64_t v) const { return s.labels + v * kLanes; }
  bool stop() { return (++taken & kRarely) == 0 && s.stopped(s.control); }

  // Labels of v out of all its predecessors; whether one fell.
  bool gather(std::int64_t v) const {
    L* own = line(v);
    Line<L> best = Line<L>::load(own);
    const LaneArc<L>* end = s.graph.in + s.graph.in_start[v + 1];
    for (const LaneArc<L>* arc = s.graph.in + s.graph.in_start[v]; arc < end; ++arc) {
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

  // Relaxes the arcs of u: improved(head, sums, marks of the lanes that fell).
  template <class Improved>
  void relax(std::int64_t u, const Improved& improved) const {
    const Line<L> from = Line<L>::load(line(u));
    const LaneArc<L>* end = s.graph.out + s.graph.out_start[u + 1];
    for (const LaneArc<L>* arc = s.graph.out + s.graph.out_start[u]; arc < end; ++arc) {
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

  void mark_heads(std::int64_t u) const {
    for (std::int64_t a = s.graph.out_start[u]; a < s.graph.out_start[u + 1]; ++a)
      s.marks[s.graph.out[a].vertex] |= kDirty;
  }

  // body(v) for every dirty vertex, in order; false if stopped. A vertex that becomes dirty further on in the
  // order is met in the same sweep.
  template <class Body>
  bool sweep(const Body& body) {
    for (std::int64_t first = 0; first < s.graph.n; first += 8) {
      std::uint64_t eight;
      __builtin_memcpy(&eight, s.marks + first, sizeof eight);
      if (eight == 0) continue;
      const std::int64_t last = first + 8 < s.graph.n ? first + 8 : s.graph.n;
      for (std::int64_t v = first; v < last; ++v) {
        if ((s.marks[v] & kDirty) == 0) continue;
        s.marks[v] &= static_cast<std::uint8_t>(~kDirty);
        body(v);
        if (stop()) return false;
      }
    }
    return true;
  }

  // One round, first in, first out: from lists[0] to lists[1].
  bool relax_round() {
    std::int64_t found = 0;
    std::int32_t* next = s.lists[1];
    for (std::int64_t i = 0; i < s.waiting; ++i) {
      const std::int32_t u = s.lists[0][i];
      s.marks[u] = 0;
      relax(u, [&](std::int32_t v, const Line<L>&, const Mark(&)[kVectors]) {
        if (s.marks[v] != 0) return;
        s.marks[v] = kWaits;
        next[found++] = v;
      });
      if (stop()) return false;
    }
    s.lists[1] = s.lists[0];
    s.lists[0] = next;
    s.waiting = found;
    return true;
  }

  // While many vertices change, gathering beats relaxing: nothing is stored but what fell, and no branch
  // depends on the labels.
  bool gather_rounds() {
    for (std::int64_t i = 0; i < s.waiting; ++i) s.marks[s.lists[0][i]] &= static_cast<std::uint8_t>(~kWaits);
    for (std::int64_t i = 0; i < s.waiting; ++i) mark_heads(s.lists[0][i]);
    std::int64_t fell;
    do {
      fell = 0;
      const bool done = sweep([&](std::int64_t v) {
        if (!gather(v)) return;
        ++fell;
        mark_heads(v);
      });
      if (!done) return false;
    } while (fell * kShare >= s.graph.n);
    s.waiting = 0;
    return sweep([&](std::int64_t v) {
      if (!gather(v)) return;
      s.marks[v] |= kWaits;
      s.lists[0][s.waiting++] = static_cast<std::int32_t>(v);
    });
  }

  static constexpr std::int64_t kShare = 8;  // gather where at least n / kShare vertices wait

  bool run_sweeps() {
    while (s.waiting > 0)
      if (!(s.waiting * kShare < s.graph.n ? relax_round() : gather_rounds())) return false;
    return true;
  }

  // ---- Windows of distances: everything below `high` is relaxed until nothing changes; then the window
  // moves on to the nearest label beyond it.
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

  bool run_windows() {
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
bool search_sweeps(LaneSearch<L>& search) {
  return Search<L>{search}.run_sweeps();
}

template <class L>
bool search_windows(LaneSearch<L>& search) {
  return Search<L>{search}.run_windows();
}

template <class L>
L largest(const LaneSearch<L>& search) {
  using Vector = typename Lanes<L>::Vector;
  const Vector none = splat_label<L>(search.none);
  Vector found = {};
  const L* end = search.labels + search.graph.n * kLabelLanes<L>;
  for (const L* from = search.labels; from < end; from += Lanes<L>::kCount) {
    const Vector value = Lanes<L>::load(from);
    const Vector counted = value < none ? value : Vector{};
    found = dense::APSP_SIMD::max<L>(found, counted);
  }
  L most = {};
  for (int i = 0; i < Lanes<L>::kCount; ++i) most = found[i] > most ? found[i] : most;
  return most;
}

}  // namespace apsp::sparse::APSP_SIMD
