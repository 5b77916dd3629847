// From predecessors to next hops, row by row in O(n).
#pragma once
#include <cstdint>

#include "runtime/control.hpp"

namespace apsp::paths {

// before: (rows, n), first: (rows, n), rows before_stride and first_stride apart. first[i, v] is the first
// vertex after the source of row i on its path to v, -1 where there is none. Advances control by one per row.
// Throws std::invalid_argument if predecessors form a cycle.
void next_hops(const std::int32_t* before, std::int64_t before_stride, std::int64_t rows, std::int64_t n,
               std::int32_t* first, std::int64_t first_stride, int threads, Control& control);

}  // namespace apsp::paths
