// Alternatives of pairs: shortest paths by way of a vertex that differ much. Abraham, Delling, Goldberg and
// Werneck 2013, "Alternative routes in road networks" (limits, order of the candidates).
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "paths/paths_of_pairs.hpp"
#include "runtime/control.hpp"

namespace apsp::alternatives {

// Shortest path trees, a row each: distances from the root or to it, infinite without a path, and the next
// vertex towards the root, itself at the root and without a path.
struct Trees {
  const double* dist = nullptr;        // (count, n)
  const std::int32_t* next = nullptr;  // (count, n)
};

// The i-th pair: a source, a target, and the rows of their trees.
struct Pairs {
  std::int64_t count = 0;
  const std::int32_t* sources = nullptr;
  const std::int32_t* targets = nullptr;
  const std::int32_t* forward_rows = nullptr;   // of trees from the sources
  const std::int32_t* backward_rows = nullptr;  // of trees to the targets
};

struct Limits {
  std::int64_t paths = 1;  // per pair
  double stretch = 1, sharing = 1, local_optimality = 0;
  double rounding = 0;  // of distances, relative to them
};

// For every pair a shortest path, and then alternatives in the order in which they are chosen.
//
// At most one arc leads from a vertex to another; heads ascend. Control advances by the pairs. Memory: about
// 60 n + 4 m bytes per thread.
paths::PathsOfPairs via_paths(const graph::Csr& graph, const double* weights, const Trees& forward,
                              const Trees& backward, const Pairs& pairs, const Limits& limits, int threads,
                              Control& control);

}  // namespace apsp::alternatives
