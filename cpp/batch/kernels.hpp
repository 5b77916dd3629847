// Floyd-Warshall with predecessors on one matrix: see simd/dispatch.hpp.
#pragma once
#include <cstdint>
#include <type_traits>

#include "semiring/algebra.hpp"
#include "simd/dispatch.hpp"

namespace apsp::batch {

// A vertex as wide as a distance, so that one comparison of SIMD lanes serves both.
template <class T>
using Number = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

// Two (size, width) matrices. Rows are whole vectors of every instruction set: width is a multiple of
// kLineBytes / sizeof(T), and columns from size on hold "no path".
constexpr std::int64_t kLineBytes = 64;
template <class T>
struct Tracked {
  T* dist;          // kernel values
  Number<T>* pred;  // [i, j]: the vertex before j on the path from i; undefined where there is none
  std::int64_t size, width;
};

// All distances from the arcs, and predecessors from those of single arcs (the tail). Returns -1, or a vertex
// on a negative closed walk: both are then undefined.
//
// A group of pivots is a block of rows: they are closed by Floyd-Warshall among themselves, then every other
// row is relaxed through them with its distances to the pivots as they were before: a path goes to the first
// of the pivots on it, and continues along the closed row of that pivot, which knows its predecessors. Up to
// 128 vertices a group is one pivot.
//
// Predecessors lead to i without a cycle, whatever the order of equal values and however sums are rounded, if
// no value is below the empty path: a row's values never fall from a vertex to the next on its tree (x join
// y is not better than x, and join is monotone). Let row i be relaxed, c be improved through pivot b, and p
// be its predecessor in row b: dist[i, p] is not worse than dist[i, b] join dist[b, p], and so not worse than
// the new dist[i, c]. On a cycle all values were equal. But from an improved vertex to one that is not
// improved, values get strictly worse, and the pivots of improved vertices with equal values, each the first
// that attains the value, can only precede one another in one direction. So all vertices of a cycle would be
// on the old tree of row i, or all on that of one pivot. Exact sums with negative arcs are those of
// non-negative lengths, shifted by potentials (Johnson 1977).
template <class T>
std::int64_t close_tracked(const Tracked<T>& matrix, semiring::Algebra algebra);

APSP_FOR_EACH_ISA(template <class T> std::int64_t close(const Tracked<T>& matrix, semiring::Algebra algebra);)

}  // namespace apsp::batch
