// Many sources at once, one SIMD lane per source: the labels of a vertex are a line of lanes, and the arcs
// have the layout that the kernels read.
#pragma once
#include <cstdint>
#include <type_traits>

namespace apsp::rows {

// The labels of one vertex are one line, aligned to its size.
constexpr int kLineBytes = 128;
template <class L>
constexpr int kLabelLanes = kLineBytes / static_cast<int>(sizeof(L));

// Labels are uint8 or uint16 (sums saturate), uint32 or uint64 (sums of two labels below the middle never
// wrap), or floats.
template <class L>
struct LaneArc {
  // 8-bit and 16-bit weights are repeated, since splatting 32 bits costs a plain load.
  using Packed = std::conditional_t<sizeof(L) <= 2, std::uint32_t, L>;
  std::int32_t vertex;
  Packed weight;
};

// A kernel that gathers prefetches the line of the arc that it reads so many arcs later.
constexpr int kArcsAhead = 24;

// Borrowed arcs by tail (vertex: the head) and by head (vertex: the tail); none leaves a zone. kArcsAhead
// more arcs, of any vertices, follow those by head.
template <class L>
struct LaneGraphView {
  std::int64_t n;
  const std::int64_t* out_start;  // (n + 1,)
  const LaneArc<L>* out;
  const std::int64_t* in_start;  // (n + 1,)
  const LaneArc<L>* in;
};

// use(L) for each type of labels; of uint8, no predecessors are made.
#define APSP_FOR_LABELS_WITH_PARENTS(use) \
  use(std::uint16_t) use(std::uint32_t) use(std::uint64_t) use(float) use(double)
#define APSP_FOR_LABELS(use) use(std::uint8_t) APSP_FOR_LABELS_WITH_PARENTS(use)

}  // namespace apsp::rows
