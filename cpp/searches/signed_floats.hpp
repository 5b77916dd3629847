// Shortest paths among float arcs of both signs, by exact sums: Johnson 1977 in integers of a common unit.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

class SignedFloats {
 public:
  virtual ~SignedFloats() = default;

  // The negative cycle, because of which there are no distances, with its vertices in order; empty if there
  // is none.
  const std::vector<std::int32_t>& cycle() const noexcept { return cycle_; }

  // Whether there is a cycle below zero, but within rounding: see make().
  bool forgiving() const noexcept { return forgiving_; }

  // height (n,): the shortest length from a vertex that has an arc of length 0 to every vertex; reduced (m,):
  // weights[a] + height[tail] - height[head], at least 0. Both are rounded once.
  // For objects made without searches.
  virtual void potentials(double* height, double* reduced) const = 0;

  // For objects made for searches: distances rounded once from exact sums. Lengths beyond the cutoff are
  // computed and then left out.
  virtual void rows(const rows::RowRequest<float>& request, int threads, Control& control) const = 0;
  virtual void rows(const rows::RowRequest<double>& request, int threads, Control& control) const = 0;

  // Keeps the data of the graph that it needs. A cycle is negative if its exact length is; but it counts as
  // zero if it would not be negative with each arc longer by the minimum of 1,024 of its rounding steps and
  // one rounding step of the graph's largest weight (logarithms of exchange rates have thousands of such
  // cycles). epsilon: of the original type of the weights. Zones are ignored by the search for cycles.
  static std::unique_ptr<SignedFloats> make(const graph::Csr& graph, const double* weights, double epsilon,
                                            bool searches, Control& control);

 protected:
  std::vector<std::int32_t> cycle_;
  bool forgiving_ = false;
};

// Whether some cycle is shorter than n * epsilon times the sum of its absolute weights, so that a method
// which adds in floats of this machine epsilon could confuse it with a negative one. If the weights have so
// few digits that all such sums are exact: whether some cycle is below zero (it may count as zero).
bool has_cancelling_cycle(const graph::Csr& graph, const double* weights, double epsilon, Control& control);

}  // namespace apsp::searches
