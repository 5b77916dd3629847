// A tree of shortest paths from one source, from final distances, if equality alone is not sufficient: cycles
// of length zero, rounded sums, other algebras.
#pragma once
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "paths/tight_arcs.hpp"

namespace apsp::paths {

// Scratch memory of one thread for the searches of many rows.
template <class T>
class RowSearch {
 public:
  RowSearch(const graph::WeightedArcs& arcs, semiring::Algebra algebra, const bool* closed)
      : arcs_(arcs), algebra_(algebra), closed_(closed) {}

  // Grows a tree from the source: the arc with the smallest gap |dist[u] join w - dist[v]| out of the tree is
  // next, as in Prim's algorithm. Every vertex is added once, through a vertex that was added before: there
  // is no cycle for any distances. On exact distances every gap is 0 (a shortest path leads there); on
  // rounded ones the largest gap is as small as that of any tree, so that of the tree of true shortest paths
  // bounds it. With `tight`, only those arcs are used (exact (min,+)).
  void grow(std::int64_t source, const T* dist, std::int32_t* pred, const ArcLists<Lane<T>>* tight);

  // Completes a row of non-negative distances in which the predecessors found are nearer than their vertices.
  // The others are reached from vertices that are not farther and were complete before, so (distance, time of
  // addition) increases along the tree: no cycle. Arcs are taken in the order of their gaps, as in grow.
  // False if more than `most` vertices are incomplete, if one is left over, or if the next arc comes from a
  // farther vertex (by rounding), whether it leads to the same vertex or to another one.
  bool complete(std::int64_t source, const T* dist, std::int32_t* pred, const TightArcs<Lane<T>>& lists,
                std::int64_t most);

 private:
  using Entry = std::tuple<double, std::int32_t, std::int32_t>;  // gap, head, tail
  using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  template <class Body>
  void for_arcs(std::int64_t tail, const ArcLists<Lane<T>>* tight, const Body& body);
  // 0 if the sum rounds to the distance.
  double gap(T from, T weight, T to) const;
  bool may_leave(std::int64_t vertex, std::int64_t source) const {
    return closed_ == nullptr || !closed_[vertex] || vertex == source;
  }

  const graph::WeightedArcs& arcs_;
  semiring::Algebra algebra_;
  const bool* closed_;
  std::vector<std::int32_t> stack_;
  Heap heap_, farther_;  // arcs from vertices that are not farther, and from those that are
};

}  // namespace apsp::paths
