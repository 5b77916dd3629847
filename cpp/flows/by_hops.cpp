// Flows in hops: the levels of 64 sources at once, and on the way back another pass that adds up flows.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "flows/flows.hpp"
#include "flows/hop_search.hpp"
#include "flows/ordered_sums.hpp"
#include "runtime/team.hpp"

namespace apsp::flows {
namespace {

// Data shared by all threads.
struct HopFlows {
  const Demand& demand;
  const Flows& flows;
  HopTask task;
  std::vector<double> to;  // (n,) in the inner order, or empty

  HopFlows(const graph::Csr& graph, const Demand& wanted, std::int64_t most, const Flows& out)
      : demand(wanted), flows(out), task(graph, wanted.sources, wanted.count, most) {
    if (demand.to == nullptr) return;
    to.resize(graph.n);
    for (std::int64_t v = 0; v < graph.n; ++v) to[v] = demand.to[task.order.original[v]];
  }
};

// One thread's searches.
class HopBatch : HopSearch {
 public:
  explicit HopBatch(const HopFlows& all)
      : HopSearch(all.task), all_(all), shares_(buffer<double>(n_ * kLanes)) {
    search_.shares = shares_.get();
    search_.to = all.demand.to != nullptr ? all.to.data() : nullptr;
    if (search_.to == nullptr) {
      demand_ = buffer<double>(n_ * kLanes);
      std::fill_n(demand_.get(), n_ * kLanes, 0.0);
      search_.demand = demand_.get();
    }
  }

  // rows: numbers of the sources in the demand.
  void run(const std::int64_t* rows, int count, FlowPart& part, const Control& control) {
    search_.through = part.through();
    search_.arrived = part.arrived(n_);
    search_.along = all_.flows.along != nullptr ? part.along(n_) : nullptr;
    std::fill_n(search_.served, kLanes, 0.0);
    std::fill_n(search_.largest, kLanes, 0.0);
    HopSearch::run(rows, count, control);
    part.touched.add(touched_);
    write_demand(true);
    backward();
    write_demand(false);
    for (int lane = 0; lane < count_; ++lane) {
      if (!(search_.largest[lane] < std::numeric_limits<double>::infinity()))
        throw TooManyPaths{source(lane)};
      all_.flows.served[rows_[lane]] = search_.served[lane];
    }
  }

 private:
  // Writes the rows of the demand, or zeros in their place.
  void write_demand(bool values) {
    if (search_.to != nullptr) return;
    const Demand& demand = all_.demand;
    for (int lane = 0; lane < count_; ++lane)
      for (std::int64_t i = demand.start[rows_[lane]]; i < demand.start[rows_[lane] + 1]; ++i)
        demand_[task_.order.inner[demand.targets[i]] * std::int64_t{kLanes} + lane] =
            values ? demand.values[i] : 0.0;
  }

  void backward() {
    for (std::int64_t level = levels() - 1; level >= 0; --level) {
      in_pieces(starts_[level], starts_[level + 1] - starts_[level], [&](std::int64_t i, std::int64_t size) {
        kernels().share(search_, &vertices_[i], &masks_[i], size);
      });
      clear_front(level + 1);
      for (std::int64_t i = starts_[level]; i < starts_[level + 1]; ++i) front_[vertices_[i]] = masks_[i];
    }
    if (search_.along != nullptr)
      for (int lane = 0; lane < count_; ++lane) leave_source(lane);
    clear_front(0);
  }

  void leave_source(int lane) {
    const std::int32_t tail = source(lane);
    double* along = search_.along + task_.graph.starts()[task_.order.inner[tail]];
    for (std::int64_t a = task_.csr.indptr[tail]; a < task_.csr.indptr[tail + 1]; ++a, ++along) {
      const std::int64_t v = task_.order.inner[task_.csr.indices[a]];
      if ((front_[v] >> lane & 1) != 0) *along += shares_[v * kLanes + lane];
    }
  }

  const HopFlows& all_;
  Buffer<double> shares_, demand_;
};

}  // namespace

void flows_by_hops(const graph::Csr& graph, const Demand& demand, std::int64_t cutoff, const Flows& flows,
                   int threads, Control& control) {
  const HopFlows all(graph, demand, cutoff, flows);
  const std::vector<std::int64_t> rows = all.task.rows_in_patches();
  Team team(threads);
  const std::int64_t* starts = all.task.graph.starts();
  OrderedSums sums(graph.n, flows.along != nullptr ? graph.m : 0, starts, team.size());
  std::vector<std::unique_ptr<HopBatch>> batches(team.size());
  team.parallel_for((demand.count + kLanes - 1) / kLanes, [&](std::int64_t index, int member) {
    try {
      control.check();
      if (!batches[member]) batches[member] = std::make_unique<HopBatch>(all);
      const auto count = static_cast<int>(std::min<std::int64_t>(kLanes, demand.count - index * kLanes));
      OrderedSums::Part part = sums.take();
      batches[member]->run(rows.data() + index * kLanes, count, *part, control);
      sums.give(index, std::move(part));
      control.advance(count);
    } catch (...) {
      sums.stop();
      throw;
    }
  });
  for (std::int64_t v = 0; v < graph.n; ++v) {
    const std::int32_t original = all.task.order.original[v];
    flows.through[original] = sums[v];
    flows.arrived[original] = sums[graph.n + v];
    if (flows.along == nullptr) continue;
    double* along = flows.along + graph.indptr[original];
    for (std::int64_t a = starts[v]; a < starts[v + 1]; ++a) *along++ = sums[2 * graph.n + a];
  }
}

}  // namespace apsp::flows
