// Rows of distances between points that lie between the ends of arcs: one search per source, from both ends
// of its arc, and the nearer end of each target. So places on streets take no more than vertices.
#pragma once
#include <cstdint>

#include "elimination/rows.hpp"
#include "runtime/control.hpp"

namespace apsp::elimination {

// Points, or vertices as points that use one end.
struct Ends {
  const Vertex* vertices;  // (2, count)
  const double* lengths;   // (2, count) between the point and each end; infinite where it is not used
  std::int64_t count;
};

// Writes dist (sources.count, targets.count), infinite where there is no path. No arc is negative, and there
// are no zones. For integers T, the values of the factor are twice those of the graph, with room for the
// differences of the lengths of both ends of a source. Advances control by one per source. Throws
// std::invalid_argument for ends out of range.
template <class T>
void fill_between(const Factored<T>& factored, const Ends& sources, const Ends& targets, double* dist,
                  std::int64_t stride, int threads, Control& control);

}  // namespace apsp::elimination
