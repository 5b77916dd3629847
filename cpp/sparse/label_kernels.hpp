// Label correcting from many sources at once, one SIMD lane a source: what the inner loops are given, and the
// table of them for the instruction set in force. Three files (label_kernels_baseline, _avx2, _avx512)
// compile the same templates: label_sweeps.hpp, label_windows.hpp, label_rows.hpp, label_parents.hpp.
#pragma once
#include <cstdint>
#include <type_traits>

#include "runtime/control.hpp"

namespace apsp::sparse {

// The labels of one vertex are one line, aligned to its size.
constexpr int kLineBytes = 128;
template <class L>
constexpr int kLabelLanes = kLineBytes / static_cast<int>(sizeof(L));

// Labels are uint16 (sums saturate), uint32 or uint64 (sums of two labels below the middle never wrap), or
// floats.
template <class L>
struct LaneArc {
  // 16-bit weights are doubled, since splatting 32 bits costs a plain load.
  using Packed = std::conditional_t<sizeof(L) == 2, std::uint32_t, L>;
  std::int32_t vertex;
  Packed weight;
};

// Borrowed arcs by tail (vertex: the head) and by head (vertex: the tail); none leaves a terminal.
template <class L>
struct LaneGraphView {
  std::int64_t n;
  const std::int64_t* out_start;  // (n + 1,)
  const LaneArc<L>* out;
  const std::int64_t* in_start;  // (n + 1,)
  const LaneArc<L>* in;
};

// One thread's search. The caller fills labels with `none` but for the sources, and names in lists[0] the
// vertices that have a label, each once and marked 1; all other marks are 0. Afterwards all marks are 0.
template <class L>
struct LaneSearch {
  LaneGraphView<L> graph;
  L* labels;               // (n, kLabelLanes)
  std::int32_t* lists[3];  // (n,) each: vertices that wait
  std::uint8_t* marks;     // (n rounded up to 8,)
  std::int64_t waiting;    // vertices in lists[0]
  L none;                  // labels start here: "no path", or just beyond the cutoff
  L width;                 // of the window of distances that search_windows opens at a time
  const Control* control;
  bool (*stopped)(const Control*);
};

// Rows of distances out of labels.
template <class L, class T>
struct LaneRows {
  const L* labels;
  L none;                        // labels from here on mean "no path"
  const std::int32_t* vertices;  // (columns,) the vertex of each column
  std::int64_t columns;
  T* const* rows;  // (lanes,) where each row starts
  std::int64_t lanes;
  const T* column_shift;  // (columns,) and (lanes,): added to what is no "no path", modulo the range;
  const T* row_shift;     // or both nullptr
};

// Rows of predecessors out of labels: the tail of an arc from a strictly smaller label to which the arc adds
// up exactly, or -1.
template <class L>
struct LaneParents {
  LaneGraphView<L> graph;
  const L* labels;
  L none;
  const std::int32_t* vertices;  // (n,) the vertex of each column
  const std::int32_t* names;     // (n,) the column of each vertex
  std::int32_t* const* rows;     // (lanes,)
  std::int64_t lanes;
  std::int64_t* missing;  // (kLabelLanes,) out: columns below `none` that got -1, the source among them
};

template <class L>
struct LabelKernels {
  // Both end with d[v] <= d[u] + w on every arc (in the arithmetic of L), every label being the length of a
  // path. False if the work was stopped. search_sweeps: first in, first out while few vertices wait, then
  // sweeps over those with a changed predecessor, which gather. search_windows: nearest distances first.
  bool (*search_sweeps)(LaneSearch<L>& search);
  bool (*search_windows)(LaneSearch<L>& search);
  L (*largest)(const LaneSearch<L>& search);  // the largest label below `none`; 0 if there is none
  void (*parents)(const LaneParents<L>& parents);
};

template <class L>
const LabelKernels<L>& label_kernels();
template <class L, class T>
void write_lanes(const LaneRows<L, T>& rows);

// One instruction set each; do not call without having asked isa().
#define APSP_DECLARE(set)                       \
  namespace set {                               \
  template <class L>                            \
  const LabelKernels<L>& label_table();         \
  template <class L, class T>                   \
  void write_lanes(const LaneRows<L, T>& rows); \
  }
APSP_DECLARE(baseline)
APSP_DECLARE(avx2)
APSP_DECLARE(avx512)
#undef APSP_DECLARE

// The labels, and what is written out of them.
#define APSP_FOR_LABELS(DO) \
  DO(std::uint16_t)         \
  DO(std::uint32_t)         \
  DO(std::uint64_t)         \
  DO(float)                 \
  DO(double)
#define APSP_FOR_LABELS_AND_LENGTHS(DO) \
  DO(std::uint16_t, std::uint16_t)      \
  DO(std::uint16_t, std::int32_t)       \
  DO(std::uint16_t, std::int64_t)       \
  DO(std::uint16_t, float)              \
  DO(std::uint16_t, double)             \
  DO(std::uint32_t, std::int32_t)       \
  DO(std::uint32_t, std::int64_t)       \
  DO(std::uint64_t, std::int32_t)       \
  DO(std::uint64_t, std::int64_t)       \
  DO(float, float)                      \
  DO(double, double)

}  // namespace apsp::sparse
