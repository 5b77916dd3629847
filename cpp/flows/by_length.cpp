// One search from each source, then a pass over the arcs of shortest paths in the order of distance, which
// counts the paths, and one back, which adds up flows.
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "flows/flows.hpp"
#include "flows/ordered_sums.hpp"
#include "flows/tied_search.hpp"
#include "flows/tree_passage.hpp"
#include "graph/nearness.hpp"
#include "runtime/team.hpp"
#include "searches/buckets.hpp"

namespace apsp::flows {
namespace {

constexpr std::int64_t kSources = 16;  // in a batch, whose flows are added up apart

// Data shared by all threads; vertices have inner numbers.
template <class T>
struct LengthFlows {
  const Demand& demand;
  Ties ties;
  const Flows& flows;
  LengthTask<T> task;
  std::vector<std::int64_t> numbers, starts;  // original numbers of the arcs; (n + 1,) those of each vertex

  LengthFlows(const graph::Csr& csr, const T* weights, const std::int64_t* heights, const Demand& wanted,
              T cutoff, Ties kind, const Flows& out, const std::vector<std::int32_t>& order,
              const Control& control)
      : demand(wanted), ties(kind), flows(out), task(csr, weights, heights, cutoff, order.data(), control) {
    for (std::int64_t v = 0; v < csr.n; ++v) {
      const std::int32_t tail = order[v];
      starts.push_back(static_cast<std::int64_t>(numbers.size()));
      for (std::int64_t a = csr.indptr[tail]; a < csr.indptr[tail + 1]; ++a)
        if (csr.indices[a] != tail && weights[a] < semiring::kNoPath<T>) numbers.push_back(a);
    }
    starts.push_back(static_cast<std::int64_t>(numbers.size()));
  }
};

template <class T, class Queue>
class LengthSearch : TiedSearch<T, Queue> {
  using Base = TiedSearch<T, Queue>;
  using Base::arcs_of, Base::control_, Base::first_, Base::is_tight, Base::kSeldom, Base::n_, Base::order_,
      Base::entries_, Base::paths_, Base::settled_, Base::source_, Base::starts_, Base::task_, Base::tight_;

 public:
  explicit LengthSearch(const LengthFlows<T>& all)
      : Base(all.task), all_(all), shares_(n_), demand_(all.demand.to == nullptr ? n_ : 0) {}

  // row: number of the source in the demand.
  void run(std::int64_t row, FlowPart& part, const Control& control) {
    row_ = row;
    all_.flows.served[row] = 0;
    Base::run(all_.demand.sources[row], control);
    if (order_.empty()) return;
    for (const std::int32_t v : order_) {
      shares_[v] = 0;
      part.touched.add(v);
    }
    write_demand(true);
    if (all_.ties == Ties::kFirst) {
      choose();
      carry(part);
    } else {
      const std::int32_t endless = Base::on_cycle();
      if (endless >= 0) throw ZeroCycle{endless};
      Base::count();
      backward(part);
    }
    write_demand(false);
  }

 private:
  void write_demand(bool values) {
    const Demand& demand = all_.demand;
    if (demand.to != nullptr) return;
    for (std::int64_t i = demand.start[row_]; i < demand.start[row_ + 1]; ++i)
      demand_[task_.arcs.inner(demand.targets[i])] = values ? demand.values[i] : 0.0;
  }

  double demand_to(std::int32_t v) const {
    const std::int64_t original = task_.arcs.original(v);
    if (Base::beyond(v)) return 0;
    return all_.demand.to != nullptr ? all_.demand.to[original] : demand_[v];
  }

  void backward(FlowPart& part) {
    double *through = part.through(), *arrived = part.arrived(n_), served = 0;
    double* along = all_.flows.along != nullptr ? part.along(n_) : nullptr;
    for (auto i = static_cast<std::int64_t>(order_.size()) - 1; i >= 0; --i) {
      const std::int32_t u = order_[i];
      if (Base::is_in_tree(u)) {
        i = leave_tree(i, part, served);
        continue;
      }
      double sum = 0;
      for (std::int64_t k = starts_[i]; k < starts_[i + 1]; ++k) {
        const double share = shares_[first_[tight_[k]].head];
        sum += share;
        if (along != nullptr) along[tight_[k]] += paths_[u] * share;
      }
      if (u == source_) continue;
      if (!(paths_[u] < std::numeric_limits<double>::infinity()))
        throw TooManyPaths{task_.arcs.original(source_)};
      const double ends = demand_to(u);
      shares_[u] = sum + ends / paths_[u];
      through[u] += sum * paths_[u];
      arrived[u] += ends;
      served += ends;
      if ((i & kSeldom) == 0) control_->check();
    }
    all_.flows.served[row_] = served;
  }

  // The same for a tree of arcs of length zero, from its last vertex in order_ on. Returns the index of its
  // first.
  std::int64_t leave_tree(std::int64_t i, FlowPart& part, double& served) {
    double *through = part.through(), *arrived = part.arrived(n_);
    double* along = all_.flows.along != nullptr ? part.along(n_) : nullptr;
    const double count = paths_[order_[i]];
    if (!(count < std::numeric_limits<double>::infinity())) throw TooManyPaths{task_.arcs.original(source_)};
    tree_.clear();
    for (const std::int32_t last = order_[i]; i >= 0 && Base::is_same_tree(last, order_[i]); --i) {
      const std::int32_t v = order_[i];
      double sum = 0;
      for (std::int64_t k = starts_[i]; k < starts_[i + 1]; ++k) {
        const double share = shares_[first_[tight_[k]].head];
        sum += share;
        if (along != nullptr) along[tight_[k]] += count * share;
      }
      const double ends = v == source_ ? 0 : demand_to(v);
      tree_.add(v, task_.zeros.place(task_.arcs.original(v)), entries_[v] / count, sum * count, ends);
      arrived[v] += ends;
      served += ends;
    }
    tree_.connect([&](std::int32_t v, auto&& visit) {
      for (const rows::Arc<T>& arc : task_.arcs.all(v))
        if (arc.weight == T{0} && Base::is_same_tree(v, arc.head)) visit(arc.head, &arc - first_);
    });
    const double all = tree_.pass([&](std::int64_t arc, double flow) {
      if (along != nullptr) along[arc] += flow;
    });
    for (const TreePassage::Node& node : tree_.nodes()) {
      shares_[node.vertex] = all / count;
      if (node.vertex != source_) through[node.vertex] += node.onward;
    }
    control_->check();
    return i + 1;
  }

  // The arc by which all demand reaches every vertex, in tight_; its tail in parents_.
  void choose() {
    parents_.resize(n_);
    tight_.resize(n_);
    for (const std::int32_t v : order_) {
      parents_[v] = -1;
      settled_[v] = 0;
    }
    for (const std::int32_t u : order_) {
      settled_[u] = 1;
      for (const rows::Arc<T>& arc : arcs_of(u)) {
        if (!is_tight(u, arc) || settled_[arc.head]) continue;
        const std::int32_t other = parents_[arc.head];
        if (other >= 0 && task_.arcs.original(other) < task_.arcs.original(u)) continue;
        parents_[arc.head] = u;
        tight_[arc.head] = &arc - first_;
      }
    }
    control_->check();
  }

  // shares_: the flow that leads on from a vertex.
  void carry(FlowPart& part) {
    double *through = part.through(), *arrived = part.arrived(n_), served = 0;
    double* along = all_.flows.along != nullptr ? part.along(n_) : nullptr;
    for (auto i = static_cast<std::int64_t>(order_.size()) - 1; i > 0; --i) {
      const std::int32_t v = order_[i];
      const double ends = demand_to(v), sum = shares_[v] + ends;
      through[v] += shares_[v];
      arrived[v] += ends;
      served += ends;
      if (along != nullptr) along[tight_[v]] += sum;
      shares_[parents_[v]] += sum;
    }
    all_.flows.served[row_] = served;
  }

  const LengthFlows<T>& all_;
  std::vector<double> shares_, demand_;
  std::vector<std::int32_t> parents_;
  TreePassage tree_;
  std::int64_t row_ = 0;
};

template <class T, class Queue>
void run_all(const LengthFlows<T>& all, int threads, Control& control) {
  const std::int64_t n = all.task.csr.n, count = all.demand.count;
  Team team(threads);
  OrderedSums sums(n, all.flows.along != nullptr ? all.starts[n] : 0, all.starts.data(), team.size());
  std::vector<std::unique_ptr<LengthSearch<T, Queue>>> searches(team.size());
  team.parallel_for((count + kSources - 1) / kSources, [&](std::int64_t index, int member) {
    try {
      if (!searches[member]) searches[member] = std::make_unique<LengthSearch<T, Queue>>(all);
      OrderedSums::Part part = sums.take();
      for (std::int64_t row = index * kSources; row < std::min(count, (index + 1) * kSources); ++row) {
        control.check();
        searches[member]->run(row, *part, control);
        control.advance(1);
      }
      sums.give(index, std::move(part));
    } catch (...) {
      sums.stop();
      throw;
    }
  });
  for (std::int32_t v = 0; v < n; ++v) {
    all.flows.through[all.task.arcs.original(v)] = sums[v];
    all.flows.arrived[all.task.arcs.original(v)] = sums[n + v];
  }
  if (all.flows.along == nullptr) return;
  std::fill_n(all.flows.along, all.task.csr.m, 0.0);
  for (std::size_t a = 0; a < all.numbers.size(); ++a)
    all.flows.along[all.numbers[a]] = sums[2 * n + static_cast<std::int64_t>(a)];
}

}  // namespace

template <class T>
void flows_by_length(const graph::Csr& graph, const T* weights, const std::int64_t* heights,
                     const Demand& demand, T cutoff, Ties ties, const Flows& flows, int threads,
                     Control& control) {
  const std::vector<std::int32_t> order = graph::nearness_order(graph);
  const LengthFlows<T> all(graph, weights, heights, demand, cutoff, ties, flows, order, control);
  if (searches::unit_buckets(all.task.arcs.largest_weight()))
    run_all<T, searches::BucketQueue<T, true>>(all, threads, control);
  else
    run_all<T, searches::BucketQueue<T, false>>(all, threads, control);
}

#define APSP_INSTANTIATE(T)                                                                                  \
  template void flows_by_length<T>(const graph::Csr&, const T*, const std::int64_t*, const Demand&, T, Ties, \
                                   const Flows&, int, Control&);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
APSP_INSTANTIATE(double)
#undef APSP_INSTANTIATE

}  // namespace apsp::flows
