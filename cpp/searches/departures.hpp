// Earliest arrivals where the weights depend on the time at which an arc is entered: Dijkstra 1959 with times
// as labels.
// Dreyfus 1969, "An appraisal of some shortest-path algorithms", p. 407; Kaufman, Smith 1993, "Fastest paths
// in time-dependent networks for intelligent vehicle-highway systems application" (the condition: first in,
// first out).
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"
#include "searches/timetable.hpp"

namespace apsp::searches {

// Row i: when each target is reached, from request.sources[i] at departures[i]; infinite if never. An arc
// that is entered later must not be left earlier, and an infinite weight is refused by the caller. Throws
// std::invalid_argument for arrays that are not a graph, and vertices out of range. Advances control by the
// sources.
template <class Weight>
void earliest_arrivals(const graph::Csr& graph, const Timetable<Weight>& timetable, const double* departures,
                       const rows::RowRequest<double>& request, int threads, Control& control);

}  // namespace apsp::searches
