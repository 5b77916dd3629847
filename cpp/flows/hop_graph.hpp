// The arcs in the form that searches from 64 sources at once read.
#pragma once
#include <cstdint>
#include <vector>

#include "flows/kernels.hpp"
#include "graph/csr.hpp"
#include "rows/lane_graph.hpp"

namespace apsp::flows {

class HopGraph {
 public:
  // Without self-loops, which no shortest path uses, and arcs that leave zones, which only the search from
  // the zone itself may use.
  HopGraph(const graph::Csr& graph, const rows::VertexOrder& order)
      : starts_(graph.n + 1), out_start_(graph.n + 1), in_start_(graph.n + 1) {
    for (std::int64_t v = 0; v < graph.n; ++v) {
      const std::int64_t tail = order.original[v], before = starts_[v] - graph.indptr[tail];
      starts_[v + 1] = before + graph.indptr[tail + 1];
      for (std::int64_t a = graph.indptr[tail]; a < graph.indptr[tail + 1]; ++a) {
        if (graph.indices[a] == tail || graph.is_zone(tail)) continue;
        heads_.push_back(order.inner[graph.indices[a]]);
        arcs_.push_back(before + a);
        ++in_start_[heads_.back() + 1];
      }
      out_start_[v + 1] = static_cast<std::int64_t>(heads_.size());
    }
    for (std::int64_t v = 0; v < graph.n; ++v) in_start_[v + 1] += in_start_[v];
    tails_.resize(heads_.size());
    std::vector<std::int64_t> next(in_start_.begin(), in_start_.end() - 1);
    for (std::int64_t u = 0; u < graph.n; ++u)
      for (std::int64_t a = out_start_[u]; a < out_start_[u + 1]; ++a)
        tails_[next[heads_[a]]++] = static_cast<std::int32_t>(u);
  }

  // (n + 1,) numbers of the arcs if all are numbered in the order of the vertices, self-loops and those of
  // zones too.
  const std::int64_t* starts() const noexcept { return starts_.data(); }

  HopArcs view() const noexcept {
    const auto n = static_cast<std::int64_t>(out_start_.size()) - 1;
    return {n, out_start_.data(), in_start_.data(), heads_.data(), tails_.data(), arcs_.data()};
  }

 private:
  std::vector<std::int64_t> starts_, out_start_, in_start_, arcs_;
  std::vector<std::int32_t> heads_, tails_;
};

}  // namespace apsp::flows
