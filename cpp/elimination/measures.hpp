// The numbers of every row of distances that closeness, eccentricity and similar measures need, computed with
// the rows, which are not stored.
#pragma once
#include <cstdint>

#include "elimination/rows.hpp"
#include "rows/row_sums.hpp"

namespace apsp::elimination {

// T: uint16_t or int32_t. Distances longer than `cutoff` count as "no path". Returns false if a distance is
// too low for the proof of its range. Advances control by one per source.
template <class T>
bool measure_rows(const Factored<T>& factored, const std::int32_t* sources, std::int64_t count, T cutoff,
                  const rows::RowSums& sums, int threads, Control& control);

}  // namespace apsp::elimination
