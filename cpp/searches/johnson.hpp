// Johnson's rows of integers: Dijkstra on reduced weights, and the conversion to the original lengths. For
// floats see signed_floats.hpp.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

// T is uint16_t, int32_t or int64_t; Reduced int32_t (if the caller has proven that every reduced length
// fits) or int64_t. distance = reduced length - height[source] + height[target], exactly.
template <class T, class Reduced>
void johnson_rows(const graph::Csr& graph, const Reduced* reduced, const std::int64_t* height,
                  const rows::RowRequest<T>& request, int threads, Control& control);

}  // namespace apsp::searches
