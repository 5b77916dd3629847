// Sums over the rows of distances of an undirected forest, in linear time: two passes over each tree, from
// its leaves to a root and back. Kang, Ault 1975, "Some properties of a centroid of a free tree": across an
// arc, the sum of distances changes by its length times the difference of the numbers of vertices on its
// sides.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::reductions {

// (n,) each: as reductions::RowNumbers.
struct ForestSums {
  std::int64_t *reached, *total, *largest;
  std::int32_t* farthest;
};

// Whether an undirected graph is a forest, loops aside; if not, the sums are not complete. lengths (m) are at
// least 0, or nullptr: every arc counts 1; the sum over a row must fit int64.
bool forest_sums(const graph::Csr& graph, const std::int64_t* lengths, const ForestSums& sums,
                 const Control& control);

}  // namespace apsp::reductions
