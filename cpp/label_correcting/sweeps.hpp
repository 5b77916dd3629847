// First in, first out while few vertices are queued; sweeps that gather while many are. Included by
// kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "label_correcting/relax.hpp"

namespace apsp::label_correcting::APSP_SIMD {

template <class L>
struct Sweeps : Relaxing<L> {
  using Base = Relaxing<L>;
  using Base::gather, Base::kVectors, Base::relax, Base::s, Base::stop;

  void mark_heads(std::int64_t u) const {
    for (std::int64_t a = s.graph.out_start[u]; a < s.graph.out_start[u + 1]; ++a)
      s.marks[s.graph.out[a].vertex] |= kDirty;
  }

  // body(v) for every dirty vertex, in order; false if stopped. A vertex that becomes dirty later in the
  // order is visited in the same sweep.
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

  // While many vertices change, gathering is faster than relaxing: only labels that became smaller are
  // stored, and no branch depends on the labels.
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

  static constexpr std::int64_t kShare = 8;  // gather if at least n / kShare vertices are queued

  bool run() {
    while (s.waiting > 0)
      if (!(s.waiting * kShare < s.graph.n ? relax_round() : gather_rounds())) return false;
    return true;
  }
};

template <class L>
bool search_sweeps(LabelSearch<L>& search) {
  Sweeps<L> sweeps{{search}};
  const bool done = sweeps.run();
  search.visits = sweeps.taken;
  return done;
}

}  // namespace apsp::label_correcting::APSP_SIMD
