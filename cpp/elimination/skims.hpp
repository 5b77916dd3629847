// Several costs along shortest paths between some vertices: elimination over tuples, so that no path is
// walked.
#pragma once
#include <cstdint>

#include "elimination/cost_factor.hpp"
#include "semiring/cost_matrices.hpp"

namespace apsp::elimination {

// out[c, i, j] = cost c of the path from sources[i] to targets[j] that is the least in the order of the
// costs, infinite where there is no path. The factor is that of the tree and the arcs. Cost: per source the
// panels between the targets and the roots. Memory per thread: 16 to 64 tuples per vertex on the way from a
// source or a target to its root, and per target. Advances control by one per source.
void fill_skims(const TreeView& tree, const CostArcs& arcs, const CostFactor& factor, const Vertex* sources,
                const Vertex* targets, const semiring::CostMatrices& out, Team& team, Control& control);

}  // namespace apsp::elimination
