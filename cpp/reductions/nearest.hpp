// The k columns nearest to the source of each row.
#pragma once
#include <cstdint>

#include "reductions/rows.hpp"

namespace apsp::reductions {

// columns[i k ...], distances[i k ...]: the reachable columns of row i except sources[i], nearest first, of
// equal ones the smaller column first; then -1 and "no path".
template <class T>
void nearest(const DistanceRows<T>& rows, const std::int32_t* sources, std::int64_t k, std::int32_t* columns,
             T* distances, int threads, Control& control);

}  // namespace apsp::reductions
