// The numbers of every row of distances that closeness, eccentricity and similar measures need, computed with
// the rows, which are not stored.
#pragma once
#include <cstdint>

#include "elimination/rows.hpp"

namespace apsp::elimination {

// (count,) each, of the distances from a source over the vertices it reaches.
struct RowSums {
  std::int64_t* reached;  // their number, including the source
  std::int64_t* total;    // sum of the distances
  double* reciprocals;    // sum of 1 / distance; distances of zero add nothing
  std::int32_t* largest;
  std::int32_t* farthest;  // the smallest vertex at distance `largest`
};

// T: uint16_t or int32_t. Distances longer than `cutoff` count as "no path". Returns false if a distance is
// too low for the proof of its range. Advances control by one per source.
template <class T>
bool measure_rows(const Factored<T>& factored, const std::int32_t* sources, std::int64_t count, T cutoff,
                  const RowSums& sums, int threads, Control& control);

}  // namespace apsp::elimination
