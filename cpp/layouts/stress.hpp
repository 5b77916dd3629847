// Sparse stress of a layout in the plane, made smaller by localized majorization: Ortmann, Klimenta and
// Brandes, "A sparse stress model", Journal of Graph Algorithms and Applications 21(5), 2017; the update of
// one vertex is that of Gansner, Koren and North, "Graph drawing by stress majorization", 2004.
#pragma once
#include <cstdint>

#include "runtime/control.hpp"

namespace apsp::layouts {

// Terms weight * (|x_i - x_j| - distance)^2 of each vertex i with all k pivots, and with its neighbours.
struct SparseStress {
  std::int64_t n, k;
  const std::int32_t* pivots;      // (k,), each once
  const float* distances;          // (n, k), 0 from a pivot to itself
  const float* weights;            // (n, k), 0 of a pivot with itself
  const std::int64_t* indptr;      // (n + 1,)
  const std::int32_t* neighbours;  // of each vertex, no pivots
  const double* lengths;           // of the edges to them, above 0
};

// Moves `points`, (n, 2), by at most so many sweeps over the vertices; it ends when the root mean square of
// the moves of a sweep is at most `tolerance`. Returns the number of sweeps. A sweep moves one vertex after
// another, first the pivots, so that the result is the same for any number of threads.
std::int64_t reduce_stress(const SparseStress& stress, double* points, std::int64_t sweeps, double tolerance,
                           int threads, Control& control);

}  // namespace apsp::layouts
