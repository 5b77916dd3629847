// Numeric elimination in (min,+): Carré 1971, "An algebra for network routing problems", on dense fronts
// (Duff and Reid 1983), the supernodal form of which is Sao, Kannan, Gera and Vuduc 2020, "A supernodal
// all-pairs shortest path algorithm".
//
// The values of a supernode with k columns and r rows are contiguous, from panel_start[s] on:
//   out (k, k + r)  from its columns to its columns, and to its rows
//   in  (r, k)      from its rows to its columns
// each the shortest path whose inner vertices are columns of it or of supernodes below it.
#pragma once
#include <cstdint>

#include "elimination/tree.hpp"
#include "floyd_warshall/floyd_warshall.hpp"
#include "graph/weighted_arcs.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// The values of all supernodes, (tree.entries()), in kernel values. Arcs that leave zones are left out
// (`zones` may be null). Returns -1, or a place on a negative cycle. Advances control by about one per (add,
// min) pair. Throws std::invalid_argument if an arc joins places that are not related in the tree, or a
// weight does not fit T.
template <class T>
std::int64_t factorise(const TreeView& tree, const graph::WeightedArcs& arcs, const bool* zones,
                       bool nonnegative, T* values, Team& team, Control& control);

template <class T>
struct Panels {
  const T* out;
  const T* in;
  std::int64_t k, r;
};

template <class T>
Panels<T> panels_of(const TreeView& tree, const T* values, std::int64_t s) {
  const std::int64_t k = tree.columns(s), r = tree.row_count(s);
  const T* out = values + tree.panel_start[s];
  return {out, out + k * (k + r), k, r};
}

}  // namespace apsp::elimination
