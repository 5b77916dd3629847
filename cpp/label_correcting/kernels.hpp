// Label correcting from many sources at once, one SIMD lane per source: the input of the inner loops, and the
// table of them. See simd/dispatch.hpp.
#pragma once
#include <cstdint>

#include "rows/lane_arcs.hpp"
#include "runtime/control.hpp"
#include "simd/dispatch.hpp"

namespace apsp::label_correcting {

// One thread's search. The caller fills labels with `none` except for the sources, and lists in lists[0] the
// vertices that have a label, each once and marked 1; all other marks are 0. Afterwards all marks are 0, but
// not those of the vertices that search_bounded lists.
template <class L>
struct LabelSearch {
  rows::LaneGraphView<L> graph;
  L* labels;               // (n, kLabelLanes)
  std::int32_t* lists[3];  // (n,) each: queued vertices
  std::uint8_t* marks;     // (n rounded up to 8,)
  std::int64_t waiting;    // vertices in lists[0]
  std::int64_t visits;     // out: how often vertices were visited
  std::int64_t met;        // out, of search_bounded: vertices in lists[2]
  L none;                  // labels start here: "no path", or just beyond the cutoff
  L width;                 // of the window of distances that search_windows opens at a time
  // (kLabelLanes,) of search_bounded: vertices that are also marked kStarts, whose arcs do nothing in this
  // lane; -1: none.
  const std::int32_t* starts;
  const Control* control;
  bool (*stopped)(const Control*);
};

// A mark of search_bounded.
inline constexpr std::uint8_t kStarts = 4;

template <class L>
struct Kernels {
  // All end with d[v] <= d[u] + w on every arc (in the arithmetic of L), every label being the length of a
  // path. False if the work was stopped. search_sweeps: first in, first out while few vertices are queued,
  // then sweeps over those with a changed predecessor, which gather. search_windows: nearest distances first.
  bool (*search_sweeps)(LabelSearch<L>& search);
  bool (*search_windows)(LabelSearch<L>& search);
  // The same for the little that is within a cutoff: first in, first out; lists[2] has the vertices with a
  // label, each once.
  bool (*search_bounded)(LabelSearch<L>& search);
  L (*largest)(const LabelSearch<L>& search);  // the largest label below `none`; 0 if there is none
};

// Those of the instruction set in force.
template <class L>
const Kernels<L>& kernels();

APSP_FOR_EACH_ISA(template <class L> const Kernels<L>& table();)

}  // namespace apsp::label_correcting
