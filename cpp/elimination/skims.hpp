// Several costs along shortest paths between some vertices: elimination over tuples, so that no path is
// walked.
#pragma once
#include <cstdint>

#include "elimination/tree.hpp"
#include "graph/weighted_arcs.hpp"
#include "runtime/control.hpp"
#include "semiring/cost_matrices.hpp"

namespace apsp::elimination {

// out[i, j] = the costs of the path from sources[i] to targets[j] that is the least in the order of the
// costs; (count, columns) tuples, infinite where there is no path. arcs.weights: (m, kSize) float64, first
// costs not negative, and no cycle below zero. zones (n) or null. Cost: the factor pair by pair, then per
// source the panels between the targets and the roots. Memory: the factor, tree.entries() (kSize + 1) values,
// and per thread 16 (kSize + 1) values per vertex on the way from a source to its root. Advances control by
// one per source.
template <int kSize>
void fill_skims(const TreeView& tree, const graph::WeightedArcs& arcs, const bool* zones,
                const Vertex* sources, const Vertex* targets, const semiring::CostMatrices& out, int threads,
                Control& control);

}  // namespace apsp::elimination
