// One shortest path: Dijkstra from the source and, backwards, from the target, until they meet.
// Nicholson 1966, "Finding the shortest route between two points in a network"; Pohl 1971, "Bi-directional
// search", for the side that goes on (that with fewer open vertices).
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

// Label: the type of sums, which holds the length of every path. Weights are not negative; without weights
// (nullptr) every arc has length 1. Several threads may search at a time.
template <class Label, class Weight>
class BidirectionalSearch {
 public:
  // The arcs and, sorted by their heads, the same arcs (`backward`, whose indices are tails).
  // Throws std::invalid_argument for arrays that are not a graph.
  BidirectionalSearch(const graph::Csr& forward, const Weight* weights, const graph::Csr& backward,
                      const Weight* backward_weights, Label largest);
  ~BidirectionalSearch();

  // The vertices of a shortest path, empty if there is none, and its length. Arcs of length zero and rounding
  // may leave a loop in it. Memory: 2 n (sizeof(Label) + 4) bytes per search at a time, kept for the next.
  std::vector<std::int32_t> path(std::int32_t source, std::int32_t target, Label& length, Control& control);

 private:
  class Both;
  std::unique_ptr<Both> taken();

  graph::Csr forward_, backward_;
  const Weight *weights_, *backward_weights_;
  Label largest_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Both>> idle_;
};

}  // namespace apsp::searches
