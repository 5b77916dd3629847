// Rows of all distances from a factor, for batches of sources: up the tree from the sources to the roots, and
// down from the roots to every vertex (or the targets). Carré 1971 (back substitution); with one source per
// SIMD lane, as in PHAST (Delling, Goldberg, Nowatzyk, Werneck 2011).
#pragma once
#include <cstdint>

#include "elimination/factor.hpp"
#include "graph/weighted_arcs.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"

namespace apsp::elimination {

template <class T>
struct Factored {
  TreeView tree;
  const T* values;
  graph::WeightedArcs arcs;  // of the graph, read if a source is a zone
  const bool* zones;         // (n) or null
  bool nonnegative;
  const Places* places = nullptr;  // those of the tree, if they are known
};

// Writes the rows, and predecessors if no arc is negative and cutoffs are 0 or more. Returns false if an
// integer distance is too low for the proof of its range: the rows are then undefined. Advances control by
// one per source. Throws std::invalid_argument for sources or targets out of range.
template <class T>
bool fill_rows(const Factored<T>& factored, const rows::RowRequest<T>& request, int threads,
               Control& control);

}  // namespace apsp::elimination
