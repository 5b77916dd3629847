// The search that touches only what is near, first in, first out. Included by kernels_simd.cpp only: see
// simd/dispatch.hpp.
#pragma once
#include "label_correcting/relax.hpp"

namespace apsp::label_correcting::APSP_SIMD {

constexpr std::uint8_t kMet = 2;  // it is in lists[2]

// The labels of a vertex, without those of the lanes whose search starts there.
template <class L>
Line<L> of_others(const LabelSearch<L>& search, std::int32_t v) {
  constexpr std::int64_t kLanes = rows::kLabelLanes<L>;
  alignas(rows::kLineBytes) L labels[kLanes];
  for (std::int64_t lane = 0; lane < kLanes; ++lane)
    labels[lane] = search.starts[lane] == v ? search.none : search.labels[v * kLanes + lane];
  return Line<L>::load(labels);
}

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
      const bool starts = (search.marks[u] & kStarts) != 0;
      search.marks[u] &= static_cast<std::uint8_t>(~kWaits);
      const Line<L> from = starts ? of_others(search, u) : Line<L>::load(relaxing.line(u));
      relaxing.relax(u, from, [&](std::int32_t v, const Line<L>&, const Mark(&)[Line<L>::kVectors]) {
        const std::uint8_t mark = search.marks[v];
        if ((mark & kWaits) != 0) return;
        next[found++] = v;
        if (mark == 0) search.lists[2][met++] = v;
        search.marks[v] = mark | kMet | kWaits;
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

}  // namespace apsp::label_correcting::APSP_SIMD
