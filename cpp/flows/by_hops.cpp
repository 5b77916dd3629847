// Searches from 64 sources at once, level by level: bits find the vertices of a level (as in Then et al.
// 2014), then one pass over their arcs counts paths for all sources, and on the way back another one adds up
// flows.
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "flows/flows.hpp"
#include "flows/hop_graph.hpp"
#include "flows/kernels.hpp"
#include "flows/ordered_sums.hpp"
#include "rows/lane_graph.hpp"
#include "rows/source_patches.hpp"
#include "runtime/buffer.hpp"
#include "runtime/team.hpp"

namespace apsp::flows {
namespace {

constexpr std::int64_t kAtOnce = 4096;  // vertices between two checks whether to stop

// Data shared by all threads.
struct HopTask {
  const graph::Csr& csr;
  const Demand& demand;
  std::int64_t cutoff;
  const Flows& flows;
  rows::VertexOrder order;
  HopGraph graph;
  std::vector<double> to;  // (n,) in the inner order, or empty

  HopTask(const graph::Csr& given, const Demand& wanted, std::int64_t most, const Flows& out)
      : csr(given), demand(wanted), cutoff(most), flows(out), order(given), graph(given, order) {
    if (demand.to == nullptr) return;
    to.resize(csr.n);
    for (std::int64_t v = 0; v < csr.n; ++v) to[v] = demand.to[order.original[v]];
  }
};

struct Marks {
  std::uint64_t seen, next;
};

// One thread's searches.
class HopBatch {
 public:
  explicit HopBatch(const HopTask& task)
      : task_(task),
        n_(task.csr.n),
        marks_(n_),
        front_(n_, 0),
        found_(n_ + 1),
        paths_(buffer<double>(n_ * kLanes)),
        shares_(buffer<double>(n_ * kLanes)) {
    search_.graph = task.graph.view();
    search_.front = front_.data();
    search_.paths = paths_.get();
    search_.shares = shares_.get();
    search_.to = task.demand.to != nullptr ? task.to.data() : nullptr;
    if (search_.to == nullptr) {
      demand_ = buffer<double>(n_ * kLanes);
      std::fill_n(demand_.get(), n_ * kLanes, 0.0);
      search_.demand = demand_.get();
    }
  }

  // rows: numbers of the sources in the demand. part: through, arrived and along, one after another.
  void run(const std::int64_t* rows, int count, std::vector<double>& part, const Control& control) {
    rows_ = rows;
    count_ = count;
    control_ = &control;
    search_.through = part.data();
    search_.arrived = part.data() + n_;
    search_.along = task_.flows.along != nullptr ? part.data() + 2 * n_ : nullptr;
    std::fill_n(search_.served, kLanes, 0.0);
    std::fill_n(search_.largest, kLanes, 0.0);
    write_demand(true);
    forward();
    backward();
    write_demand(false);
    for (int lane = 0; lane < count_; ++lane) {
      if (!(search_.largest[lane] < std::numeric_limits<double>::infinity()))
        throw TooManyPaths{source(lane)};
      task_.flows.served[rows_[lane]] = search_.served[lane];
    }
  }

 private:
  std::int32_t source(int lane) const { return task_.demand.sources[rows_[lane]]; }

  // Writes the rows of the demand, or zeros in their place.
  void write_demand(bool values) {
    if (search_.to != nullptr) return;
    const Demand& demand = task_.demand;
    for (int lane = 0; lane < count_; ++lane)
      for (std::int64_t i = demand.start[rows_[lane]]; i < demand.start[rows_[lane] + 1]; ++i)
        demand_[task_.order.inner[demand.targets[i]] * std::int64_t{kLanes} + lane] =
            values ? demand.values[i] : 0.0;
  }

  void forward() {
    std::fill(marks_.begin(), marks_.end(), Marks{0, 0});
    vertices_.clear();
    masks_.clear();
    starts_.assign(1, 0);
    if (task_.cutoff < 1) return;
    append(first_level());
    settle();
    for (std::int64_t level = 2; size_of_last() > 0 && level <= task_.cutoff; ++level) {
      const std::int64_t first = starts_.back(), count = follow();
      if (count == 0) break;
      append(count);
      in_pieces(first, count, [&](std::int64_t i, std::int64_t size) {
        kernels().count(search_, &vertices_[i], &masks_[i], size);
      });
      clear_front(levels() - 1);
      settle();
    }
    clear_front(levels() - 1);
  }

  // From the sources themselves, which may be zones.
  std::int64_t first_level() {
    std::int64_t count = 0;
    for (int lane = 0; lane < count_; ++lane) {
      const std::uint64_t bit = std::uint64_t{1} << lane;
      const std::int32_t tail = source(lane);
      marks_[task_.order.inner[tail]].seen |= bit;
      for (std::int64_t a = task_.csr.indptr[tail]; a < task_.csr.indptr[tail + 1]; ++a) {
        if (task_.csr.indices[a] == tail) continue;
        const std::int32_t v = task_.order.inner[task_.csr.indices[a]];
        if (marks_[v].next == 0) found_[count++] = v;
        marks_[v].next |= bit;
        paths_[v * std::int64_t{kLanes} + lane] = 1;
      }
    }
    return count;
  }

  // The vertices of the next level, in found_, with their sources in `next`.
  std::int64_t follow() {
    std::int64_t count = 0;
    const HopArcs& graph = search_.graph;
    in_pieces(starts_[levels() - 1], size_of_last(), [&](std::int64_t first, std::int64_t size) {
      for (std::int64_t i = first; i < first + size; ++i) {
        const std::uint64_t bits = masks_[i];
        const std::int32_t u = vertices_[i];
        for (std::int64_t a = graph.out_start[u]; a < graph.out_start[u + 1]; ++a) {
          Marks& at = marks_[graph.heads[a]];
          const std::uint64_t fresh = bits & ~at.seen;
          found_[count] = graph.heads[a];
          count += (at.next == 0) & (fresh != 0);
          at.next |= fresh;
        }
      }
    });
    return count;
  }

  // The vertices in found_ are the next level,
  void append(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      vertices_.push_back(found_[i]);
      masks_.push_back(marks_[found_[i]].next);
    }
  }

  // which is the last one from now on.
  void settle() {
    for (auto i = static_cast<std::size_t>(starts_.back()); i < vertices_.size(); ++i) {
      Marks& at = marks_[vertices_[i]];
      front_[vertices_[i]] = at.next;
      at.seen |= at.next;
      at.next = 0;
    }
    starts_.push_back(static_cast<std::int64_t>(vertices_.size()));
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
    for (std::int64_t a = task_.csr.indptr[tail]; a < task_.csr.indptr[tail + 1]; ++a) {
      const std::int64_t v = task_.order.inner[task_.csr.indices[a]];
      if ((front_[v] >> lane & 1) != 0) search_.along[a] += shares_[v * kLanes + lane];
    }
  }

  // front_ is zero at the vertices of a level, if there is such a level.
  void clear_front(std::int64_t level) {
    if (level < 0 || level >= levels()) return;
    for (std::int64_t i = starts_[level]; i < starts_[level + 1]; ++i) front_[vertices_[i]] = 0;
  }

  std::int64_t levels() const { return static_cast<std::int64_t>(starts_.size()) - 1; }
  std::int64_t size_of_last() const { return starts_.back() - starts_[levels() - 1]; }

  template <class Act>
  void in_pieces(std::int64_t first, std::int64_t count, Act&& act) {
    for (std::int64_t i = 0; i < count; i += kAtOnce) {
      control_->check();
      act(first + i, std::min(kAtOnce, count - i));
    }
  }

  const HopTask& task_;
  std::int64_t n_;
  std::vector<Marks> marks_;
  std::vector<std::uint64_t> front_, masks_;
  std::vector<std::int32_t> found_, vertices_;  // vertices_ and masks_: all levels, one after another
  std::vector<std::int64_t> starts_;            // of the levels, of which the first is that at distance 1
  Buffer<double> paths_, shares_, demand_;
  LaneSearch search_{};
  const std::int64_t* rows_ = nullptr;
  int count_ = 0;
  const Control* control_ = nullptr;
};

// Numbers of the sources: those near each other are neighbours, since they share most of their work.
std::vector<std::int64_t> rows_in_patches(const HopTask& task) {
  const std::vector<std::uint16_t> ones(task.csr.m, 1);
  const rows::LaneGraph<std::uint16_t> graph(task.csr, ones.data(), task.order);
  const auto patches = rows::SourcePatches<std::uint16_t>::order(graph.view(), kLanes);
  rows::RowRequest<double> request;
  request.sources = task.demand.sources;
  request.count = task.demand.count;
  return rows::rows_by_patch(request, task.order, patches);
}

}  // namespace

void flows_by_hops(const graph::Csr& graph, const Demand& demand, std::int64_t cutoff, const Flows& flows,
                   int threads, Control& control) {
  const HopTask task(graph, demand, cutoff, flows);
  const std::vector<std::int64_t> rows = rows_in_patches(task);
  Team team(threads);
  OrderedSums sums(2 * graph.n + (flows.along != nullptr ? graph.m : 0), team.size());
  std::vector<std::unique_ptr<HopBatch>> batches(team.size());
  team.parallel_for((demand.count + kLanes - 1) / kLanes, [&](std::int64_t index, int member) {
    try {
      control.check();
      if (!batches[member]) batches[member] = std::make_unique<HopBatch>(task);
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
    flows.through[task.order.original[v]] = sums[v];
    flows.arrived[task.order.original[v]] = sums[graph.n + v];
  }
  if (flows.along != nullptr)
    for (std::int64_t a = 0; a < graph.m; ++a) flows.along[a] = sums[2 * graph.n + a];
}

}  // namespace apsp::flows
