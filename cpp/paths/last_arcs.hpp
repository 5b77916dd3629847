// Predecessors of up to 16 rows of final, non-negative distances, from their last arcs. What equality of sums
// leaves open (arcs of length zero, rounded sums, sources that are closed) is completed by the components of
// arcs of length zero, or else row by row.
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
  // lists: all arcs that may be last ones, and their components; the caller keeps everything alive.
  LastArcs(const graph::WeightedArcs& arcs, const bool* closed, const TightArcs<Lane<T>>& lists)
      : arcs_(arcs), closed_(closed), lists_(lists), search_(arcs, semiring::Algebra::kMinPlus, closed) {}

  // lanes: at most kSearchLanes. dist, pred: the row of each source.
  void find(const std::int32_t* sources, std::int64_t lanes, const T* const* dist, std::int32_t* const* pred,
            const Control& control);

 private:
  struct Rows {
    std::int64_t count = 0;
    std::int32_t source[kSearchLanes];
    const T* dist[kSearchLanes];
    std::int32_t* pred[kSearchLanes];

    void add(const Rows& other, std::int64_t lane);
  };

  std::uint32_t search(const Rows& rows, bool by_components);
  Rows incomplete(const Rows& rows);
  Rows not_completed(const Rows& rows, std::int64_t most, const Control& control);
  Rows incomplete_by_components(const Rows& rows);
  bool enter_components(const Rows& rows, std::int64_t lane);
  template <class Joined>
  void leave_closed(const Rows& rows, std::int64_t lane, const Joined& joined) const;

  const graph::WeightedArcs& arcs_;
  const bool* closed_;
  const TightArcs<Lane<T>>& lists_;
  RowSearch<T> search_;
  std::vector<Lane<T>> lines_;
  std::vector<std::int32_t> entries_;
};

}  // namespace apsp::paths
