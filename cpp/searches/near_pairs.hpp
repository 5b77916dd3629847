// The vertices within a bound of every source, as rows of different lengths: one truncated search per source.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "rows/arcs.hpp"
#include "runtime/buffer.hpp"
#include "runtime/control.hpp"
#include "searches/path_costs.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {

template <class T>
struct NearRequest {
  const std::int32_t* sources = nullptr;  // (count,) in any order, also repeated
  std::int64_t count = 0;
  T cutoff = semiring::kNoPath<T>;  // itself included
  std::int64_t k = INT64_MAX;  // most pairs of a source: the nearest, of equally near ones the first vertices
  const std::uint8_t* is_target = nullptr;  // (n,) where a vertex is a target; nullptr: all
  bool own = true;                          // the source may be one of its targets
  bool hops = false;
  bool sums = false;       // of the other costs, along the path that is best by all costs in their order
  bool by_target = false;  // rows are in the order of the targets, not of the distances
  std::int64_t most = INT64_MAX;  // pairs in all
};

// Pairs of source number i: from starts[i] to starts[i + 1].
template <class T>
struct NearPairs {
  bool complete = true;              // false if there are more pairs than `most`; then there are none here
  std::vector<std::int64_t> starts;  // (count + 1,)
  Buffer<std::int32_t> targets;
  Buffer<T> distances;
  Buffer<std::int32_t>
      hops;             // the first vertex after the source, -1 for the source itself; empty if not requested
  Buffer<double> sums;  // (costs, pairs); empty if not requested

  std::int64_t size() const noexcept { return starts.back(); }
};

// The arcs are stored once for all calls.
template <class T>
class NearSearches {
 public:
  // T: uint16_t, int32_t, int64_t, float or double. many: store neighbours close to each other, which takes
  // about as long as half a search of the whole graph. Throws std::invalid_argument for arrays that are not a
  // graph, and for a weight below zero or not-a-number. costs: (m, size) other costs of the arcs, of which
  // none is below 0 on an arc of length 0.
  NearSearches(const graph::Csr& graph, const T* weights, bool many, const double* costs = nullptr,
               int size = 0);

  // Advances control by one per source. Rows are the same for any number of threads and any other sources,
  // but of equally short paths the one whose first vertex is in `hops` depends on `many`. Throws
  // std::invalid_argument for sources out of range.
  NearPairs<T> find(const NearRequest<T>& request, int threads, Control& control) const;

  std::int64_t n() const noexcept { return arcs_.n(); }
  int costs() const noexcept { return costs_.size(); }

 private:
  rows::Arcs<T> arcs_;
  ArcCosts<T> costs_;
};

}  // namespace apsp::searches
