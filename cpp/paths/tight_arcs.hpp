// The arcs that are shortest paths themselves (weight == distance, bit by bit): only these are needed for a
// tree of shortest paths. A complete graph with random weights keeps about n log n of its n^2 arcs.
#pragma once
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "graph/matrix.hpp"
#include "graph/zero_components.hpp"
#include "paths/kernels.hpp"

namespace apsp::paths {

template <class T>
Lane<T> lane_value(T distance) {
  return distance == semiring::largest_value<T>() ? semiring::Bounds<Lane<T>>::kNoPath
                                                  : static_cast<Lane<T>>(distance);
}

// Lists of arcs by one of their ends: those of vertex v are start[v] .. start[v + 1] - 1.
template <class L>
struct ArcLists {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> other;  // the other end
  std::vector<L> weight;
};

template <class L>
struct TightArcs {
  ArcLists<L> out;  // by tail
  ArcLists<L> in;   // by head, in ascending order of weight; without the arcs that leave closed vertices
  std::optional<graph::ZeroComponents> zero = {};  // and, by find_zero_components:
  // (n,) Where those arcs into each vertex begin that do not lie inside a component (which come first), and
  // those along which distances rise: of integers the arcs longer than zero, of floats all.
  std::vector<std::int64_t> rising = {}, positive = {};
};

// For LastArcs: finds the components of the arcs of length zero that leave open vertices. No arc is negative.
template <class L>
void find_zero_components(TightArcs<L>& arcs, const bool* closed, const Control& control);

// dist (n, n): final distances of (min,+) in public values. Self-loops are left out.
template <class T>
TightArcs<Lane<T>> tight_arcs(graph::Matrix<T> dist, const graph::WeightedArcs& arcs, const bool* closed,
                              Team& team, Control& control);

// All arcs but self-loops and those as long as "no path", as lists of the same kind.
template <class T>
TightArcs<Lane<T>> all_arcs(const graph::WeightedArcs& arcs, const bool* closed, Team& team,
                            Control& control);

}  // namespace apsp::paths
