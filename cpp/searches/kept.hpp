// Dijkstra with buckets from sources that are chosen one after another: the arcs are stored once for all
// calls.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/csr.hpp"
#include "graph/nearness.hpp"
#include "rows/arcs.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"
#include "searches/buckets.hpp"
#include "searches/search.hpp"

namespace apsp::searches {

template <class T>
class KeptSearches {
 public:
  // Throws std::invalid_argument for invalid arrays, and for a weight below zero or not-a-number.
  KeptSearches(const graph::Csr& graph, const T* weights) : arcs_(graph, weights, order(graph).data()) {}

  // Writes the rows of the request, without targets and predecessors.
  void rows(const rows::RowRequest<T>& request, int threads, Control& control) const {
    rows::check_request(request, arcs_.n());
    if (unit_buckets(arcs_.largest_weight()))
      search<BucketQueue<T, true>>(request, threads, control);
    else
      search<BucketQueue<T, false>>(request, threads, control);
  }

 private:
  static std::vector<std::int32_t> order(const graph::Csr& graph) {
    graph::check_csr(graph);
    return graph::nearness_order(graph);
  }

  template <class Queue>
  void search(const rows::RowRequest<T>& request, int threads, Control& control) const {
    using RowSearch = Search<T, Queue, false>;
    const std::vector<std::uint8_t> wanted;
    Team team(static_cast<int>(std::clamp<std::int64_t>(request.count, 1, threads)));
    std::vector<std::unique_ptr<RowSearch>> searches(team.size());
    team.parallel_for(request.count, [&](std::int64_t row, int member) {
      control.check();
      if (!searches[member]) searches[member] = std::make_unique<RowSearch>(arcs_);
      RowSearch& one = *searches[member];
      one.run(arcs_.inner(request.sources[row]), request.cutoff, wanted, 0, control, [](std::int32_t) {});
      rows::write_lengths(request, arcs_, row, one.labels(), one.ceiling());
      control.advance(1);
    });
  }

  rows::Arcs<T> arcs_;
};

}  // namespace apsp::searches
