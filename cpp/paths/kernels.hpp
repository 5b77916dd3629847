// The search for last arcs, 16 sources at once: see simd/dispatch.hpp.
#pragma once
#include <cstdint>
#include <type_traits>

#include "graph/zero_view.hpp"
#include "semiring/algebra.hpp"
#include "simd/dispatch.hpp"

namespace apsp::paths {

// The type in which the search for last arcs computes: 16-bit distances as 32-bit ones, so that sums fit; "no
// path" is semiring::Bounds<Lane>::kNoPath.
template <class T>
using Lane = std::conditional_t<sizeof(T) == 2, std::int32_t, T>;

// The search itself: the predecessors of 16 rows at once.
constexpr int kSearchLanes = 16;

template <class T>
struct LastArcSearch {
  std::int64_t n;
  const std::int32_t* sources;  // (lanes)
  std::int64_t lanes;           // at most 16
  const T* const* dist;         // (lanes) the row of distances of each source, in public values
  std::int32_t* const* pred;    // (lanes) their rows of predecessors: -1 where no path or no arc was found
  const std::int64_t* start;    // (n + 1): the arcs into each vertex, by ascending weight
  const std::int64_t* rising;   // (n): those arcs from here on may be last ones
  const std::int32_t* tail;
  const Lane<T>* weight;
  Lane<T>* scratch;                 // (n rounded up to 16, 16)
  graph::ZeroView zero = {};        // null: arcs of length zero are not used
  std::int32_t* entries = nullptr;  // (components, 16) out: see rows::LaneParents
};

// Runs it with the instruction set in force. Returns, as bits, the lanes that lack a predecessor for some
// vertex and, as bits from the 16th on, those in which the vertices of a component are not equally far.
template <class T>
std::uint32_t search_last_arcs(const LastArcSearch<T>& search);

APSP_FOR_EACH_ISA(template <class T> std::uint32_t search(const LastArcSearch<T>& search);)

}  // namespace apsp::paths
