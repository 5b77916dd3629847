// Breadth-first searches from sources that are chosen one after another: the arrays are checked once for all
// calls. Beamer, Asanovic, Patterson 2012, "Direction-optimizing breadth-first search", sections 3 and 4.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

class KeptLevels {
 public:
  static constexpr int kAtOnce = 64;  // sources, one per bit of a word

  // `into` holds the reversed arcs of `out` (the same arrays in an undirected graph), which outlive this. No
  // zones. Throws std::invalid_argument for invalid arrays.
  KeptLevels(const graph::Csr& out, const graph::Csr& into);
  ~KeptLevels();

  // Writes the rows of a request without targets, cutoff and predecessors. Cost: O(n + m) per source; 13 n
  // bytes per thread, which are kept for the next call.
  void rows(const rows::RowRequest<std::int32_t>& request, int threads, Control& control) const;

  // The largest finite distance from each source. Words of kAtOnce sources share the passes over the arcs, as
  // in Then et al. 2014, "The more the merrier". Cost: a vertex and its arcs once per word and distance; 36 n
  // bytes per thread.
  void farthest(const std::int32_t* sources, std::int64_t count, std::int32_t* distances, int threads,
                Control& control) const;

 private:
  class Levels;
  std::unique_ptr<Levels> take() const;
  void give_back(std::unique_ptr<Levels> search) const;

  graph::Csr out_, into_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Levels>> spare_;
};

}  // namespace apsp::searches
