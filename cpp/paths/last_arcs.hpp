// Predecessors of up to 16 rows of final, non-negative distances, from their last arcs. What equality of sums
// leaves open (arcs of length zero, rounded sums, sources that are closed) is completed row by row.
#pragma once
#include <cstdint>
#include <vector>

#include "paths/kernels.hpp"
#include "paths/row_search.hpp"
#include "paths/tight_arcs.hpp"
#include "runtime/control.hpp"

namespace apsp::paths {

// Scratch memory of one thread.
template <class T>
class LastArcs {
 public:
  // lists: all arcs that may be last ones; the caller keeps everything alive.
  LastArcs(const graph::WeightedArcs& arcs, const bool* closed, const TightArcs<Lane<T>>& lists)
      : arcs_(arcs), closed_(closed), lists_(lists), search_(arcs, semiring::Algebra::kMinPlus, closed) {}

  // lanes: at most kSearchLanes. dist, pred: the row of each source.
  void find(const std::int32_t* sources, std::int64_t lanes, const T* const* dist, std::int32_t* const* pred,
            const Control& control);

 private:
  const graph::WeightedArcs& arcs_;
  const bool* closed_;
  const TightArcs<Lane<T>>& lists_;
  RowSearch<T> search_;
  std::vector<Lane<T>> lines_;
};

}  // namespace apsp::paths
