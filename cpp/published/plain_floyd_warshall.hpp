// Floyd-Warshall as a baseline of the literature: one thread, plain loops.
#pragma once
#include <cstdint>

#include "floyd_warshall/floyd_warshall.hpp"
#include "runtime/control.hpp"

namespace apsp::published {

// The three loops of the sequential program of Belinguier and Grahn, section 1 (Floyd 1962): pivot k, row i,
// column j. `page` (n, n) is in kernel values. Returns -1, or a vertex on a negative closed walk, which ends
// the work. Advances control by the number of pivots. Cost: n^3 pairs; no memory.
template <class T>
std::int64_t close_sequential(graph::Matrix<T> page, Control& control);

// Venkataraman, Sahni and Mukhopadhyaya 2003, section 3: for every block of the diagonal, close it, then the
// blocks of its row and of its column, then all others. Input, output and cost as above.
template <class T>
std::int64_t close_blocked(graph::Matrix<T> page, std::int64_t block, Control& control);

}  // namespace apsp::published
