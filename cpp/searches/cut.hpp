// The most central vertices in hops, by breadth-first searches that end as soon as a bound excludes their
// source. Borassi, Crescenzi, Marino 2015, "Fast and simple computation of top-k closeness centralities",
// section 3 (cut searches); Bergamini et al. 2019, "Computing top-k closeness centrality faster in unweighted
// graphs", sections 4 and 5 (bounds from the neighbours).
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

// What is central: r vertices with a path (the source itself included) at a sum of distances S.
enum class Centrality {
  kClosenessImproved,  // (r - 1) / S * (r - 1) / (n - 1), Wasserman and Faust
  kCloseness,          // (r - 1) / S
  kHarmonic,           // the sum of 1 / distance
};

// The vertices that are reached from each vertex: bounds on their number, itself included.
struct Reach {
  const std::int64_t* fewest;  // (n,)
  const std::int64_t* most;    // (n,)
};

// What the searches found, per source. `reached` counts the source too: kCut where the source is not among
// the most central, kLeft where no search was made.
struct Found {
  static constexpr std::int64_t kCut = -1, kLeft = -2;
  std::int64_t* reached;
  std::int64_t* total;  // sums of distances
  double* reciprocals;  // sums of 1 / distance
};

struct Spent {
  std::int64_t arcs;      // that were scanned
  std::int64_t searches;  // that began
};

// No zones. `undirected`: each arc has a reversed one, which no shortest path takes next.
class CutSearches {
 public:
  CutSearches(const graph::Csr& graph, bool undirected, const Reach& reach, Centrality centrality);

  // Upper bounds on the centrality of all vertices, from their neighbours: (n,). Cost: O(n + m).
  void bound(double* bounds, int threads, Control& control) const;

  // Searches from the sources in their order, of which those with centralities among the k largest are found:
  // of the sources, and of the numbers in `best`. `bounds`, (n,), spares a search. No further search begins
  // once `arcs` were scanned. Memory: n (4 + 1 / 8) bytes per thread.
  Spent search(const std::int32_t* sources, std::int64_t count, const double* bounds,
               std::vector<double> best, std::int64_t k, std::int64_t arcs, const Found& found, int threads,
               Control& control) const;

 private:
  class One;
  double value(double reached, double total) const noexcept;
  double bound(std::int32_t source, std::int64_t counted, double total, std::int64_t level, std::int64_t next,
               std::int64_t after) const noexcept;

  graph::Csr graph_;
  Reach reach_;
  Centrality centrality_;
  std::int64_t back_;  // arcs of a vertex that lead back to the level before
};

}  // namespace apsp::searches
