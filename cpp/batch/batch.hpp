// Many small graphs, one per thread at a time: Floyd-Warshall in the cache of one core.
#pragma once
#include <cstdint>

#include "graph/matrix.hpp"

namespace apsp::batch {

// (count, n, n) entries; each row is contiguous.
template <class T>
struct Matrices {
  T* data;
  std::int64_t count;
  std::int64_t n;
  std::int64_t graph_stride;  // elements
  std::int64_t row_stride;

  T* graph(std::int64_t index) const { return data + index * graph_stride; }
};

// The status of a graph; values from 0 on are a vertex on a negative cycle. kUnproven: floats with negative
// arcs, whose sums may cancel. Unless it is kSound, the matrix is undefined.
enum Status : std::int32_t { kSound = -1, kNoNumber = -2, kOutOfRange = -3, kUnproven = -4 };

// to[g] = all distances of the graph with the arcs from[g], public values both. `to` may be `from`; otherwise
// they must not overlap. sizes (count,), 0 to n each, or null; entries beyond the size of a graph become "no
// path". largest: the proof that no distance is out of range holds if no arc is longer (or below -largest /
// 2). Writes status (count,). Cost: n^3 pairs per graph; memory: some 128 n values per thread. Advances
// control by the number of graphs.
template <class T>
void close_batch(Matrices<const T> from, Matrices<T> to, const std::int32_t* sizes, semiring::Algebra algebra,
                 T largest, std::int32_t* status, Team& team, Control& control);

// The same with predecessors, pred[g, i, j]: the vertex before j on the path from i, -1 where there is no
// path and for i itself. Each row leads to i without a cycle. `to` and `from` must not overlap. Memory: 2 n^2
// values per thread.
template <class T>
void close_batch_tracked(Matrices<const T> from, Matrices<T> to, Matrices<std::int32_t> pred,
                         const std::int32_t* sizes, semiring::Algebra algebra, T largest,
                         std::int32_t* status, Team& team, Control& control);

// For graphs that another device has closed: status (count,) becomes kSound if sums of floats of both signs
// cannot cancel, else kUnproven. T: float or double.
template <class T>
void check_signed(Matrices<const T> from, const std::int32_t* sizes, std::int32_t* status, Team& team,
                  Control& control);

}  // namespace apsp::batch
