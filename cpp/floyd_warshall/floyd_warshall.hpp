// Blocked Floyd-Warshall, Venkataraman, Sahni and Mukhopadhyaya 2003, section 3, on packed panels: for every
// tile of the diagonal, close it, relax its row panel and its column panel through it, and the rest through
// the two panels. The same update on rectangles, for matrices that are stored in pages (Katz and Kider 2008,
// section 3.2).
#pragma once
#include <algorithm>
#include <cstdint>

#include "floyd_warshall/kernels.hpp"
#include "graph/matrix.hpp"

namespace apsp::floyd_warshall {

// The number of `threads` to start for a page of this number of rows: waking one takes as long as closing a
// tile.
inline int useful_threads(std::int64_t rows, int threads) {
  constexpr std::int64_t kRowsAThread = 192;
  return static_cast<int>(std::clamp<std::int64_t>(rows / kRowsAThread, 1, std::max(threads, 1)));
}

// Closes a square page in kernel values: page[i, j] = the best path from i to j through vertices of this
// page. What the kernels require is proven of all distances; with half the range, "no path" is restored at
// the end. Returns -1, or a vertex on a negative closed walk: the page is then undefined. Advances control by
// the number of pivots. Cost: rows^3 pairs; memory: one row panel, and a row block's left operand per thread.
template <class T>
std::int64_t close(graph::Matrix<T> page, const Kernels<T>& kernels, Team& team, Control& control);

// c = choose(c, a join b), c (m, n), a (m, k), b (k, n). c may be a, if b is closed, or b, if a is closed.
// The kernels as in `close`.
template <class T>
void update(graph::Matrix<T> c, graph::Matrix<T> a, graph::Matrix<T> b, const Kernels<T>& kernels, Team& team,
            Control& control);

// (choose, join) pairs per second of `threads` cores on values in registers, within about `seconds`.
template <class T>
double register_peak(const Kernels<T>& kernels, int threads, double seconds);

}  // namespace apsp::floyd_warshall
