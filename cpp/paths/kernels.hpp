// The search for last arcs, 16 sources at once: see simd/dispatch.hpp.
#pragma once
#include <cstdint>
#include <type_traits>

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
  std::int64_t first;  // the sources are first .. first + lanes - 1
  std::int64_t lanes;  // at most 16
  const T* dist;       // the rows of distances of the sources, in public values
  std::int64_t dist_stride;
  std::int32_t* pred;  // the same rows of predecessors: -1 where there is no path or no arc was found
  std::int64_t pred_stride;
  const std::int64_t* start;  // (n + 1): the tight arcs into each vertex, by ascending weight
  const std::int32_t* tail;
  const Lane<T>* weight;
  Lane<T>* scratch;  // (n rounded up to 16, 16)
};

// Runs it with the instruction set in force. Returns, as bits, the lanes that lack a predecessor for some
// vertex.
template <class T>
std::uint32_t search_last_arcs(const LastArcSearch<T>& search);

APSP_FOR_EACH_ISA(template <class T> std::uint32_t search(const LastArcSearch<T>& search);)

}  // namespace apsp::paths
