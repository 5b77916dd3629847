// Arcs of length zero lead to vertices at the same distance: paths are counted in an order in which such arcs
// lead forward, if there is one.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "graph/strong.hpp"
#include "runtime/control.hpp"

namespace apsp::flows {

class ZeroArcs {
 public:
  template <class T>
  ZeroArcs(const graph::Csr& graph, const T* weights, const Control& control) {
    std::vector<std::int64_t> start(graph.n + 1, 0);
    std::vector<std::int32_t> heads;
    for (std::int64_t v = 0; v < graph.n; ++v) {
      if (!graph.is_zone(v))  // no path passes it
        for (std::int64_t a = graph.indptr[v]; a < graph.indptr[v + 1]; ++a)
          if (weights[a] == T{0} && graph.indices[a] != v) heads.push_back(graph.indices[a]);
      start[v + 1] = static_cast<std::int64_t>(heads.size());
    }
    if (heads.empty()) return;
    ranks_.resize(graph.n);
    const std::int64_t count = graph::strong(graph.n, start.data(), heads.data(), ranks_.data(), control);
    std::vector<std::int32_t> sizes(count, 0);
    for (std::int32_t& rank : ranks_) {
      rank = static_cast<std::int32_t>(count - 1 - rank);  // tails come first
      ++sizes[rank];
    }
    on_cycle_.resize(graph.n);
    for (std::int64_t v = 0; v < graph.n; ++v) on_cycle_[v] = sizes[ranks_[v]] > 1;
  }

  bool any() const noexcept { return !ranks_.empty(); }
  // If there are any, by original numbers: an arc of length zero leads to a higher rank, except on cycles.
  std::int32_t rank(std::int64_t v) const noexcept { return ranks_[v]; }
  bool on_cycle(std::int64_t v) const noexcept { return on_cycle_[v] != 0; }

 private:
  std::vector<std::int32_t> ranks_;
  std::vector<std::uint8_t> on_cycle_;
};

}  // namespace apsp::flows
