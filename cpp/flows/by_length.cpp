// One search from each source, then two passes over the arcs of shortest paths, in the order of distance and
// back.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "flows/flows.hpp"
#include "flows/ordered_sums.hpp"
#include "flows/zero_arcs.hpp"
#include "graph/nearness.hpp"
#include "rows/arcs.hpp"
#include "runtime/team.hpp"
#include "searches/buckets.hpp"
#include "searches/search.hpp"

namespace apsp::flows {
namespace {

constexpr std::int64_t kSources = 16;  // in a batch: adding up flows costs n + m operations for each batch
constexpr std::int64_t kSeldom = 0xffff;

// Data shared by all threads; vertices have inner numbers.
template <class T>
struct LengthTask {
  const graph::Csr& csr;
  const std::int64_t* heights;
  const Demand& demand;
  T cutoff;
  Ties ties;
  const Flows& flows;
  rows::Arcs<T> arcs;
  ZeroArcs zeros;
  std::vector<std::int64_t> numbers;  // original numbers of the arcs

  LengthTask(const graph::Csr& given, const T* weights, const std::int64_t* potentials, const Demand& wanted,
             T most, Ties kind, const Flows& out, const std::vector<std::int32_t>& order,
             const Control& control)
      : csr(given),
        heights(potentials),
        demand(wanted),
        cutoff(most),
        ties(kind),
        flows(out),
        arcs(given, weights, order.data()),
        zeros(given, weights, control) {
    for (std::int64_t v = 0; v < csr.n; ++v) {
      const std::int32_t tail = order[v];
      for (std::int64_t a = csr.indptr[tail]; a < csr.indptr[tail + 1]; ++a)
        if (csr.indices[a] != tail && weights[a] < semiring::kNoPath<T>) numbers.push_back(a);
    }
  }
};

template <class T, class Queue>
class LengthSearch {
 public:
  explicit LengthSearch(const LengthTask<T>& task)
      : task_(task),
        n_(task.csr.n),
        search_(task.arcs),
        paths_(n_),
        shares_(n_),
        demand_(task.demand.to == nullptr ? n_ : 0) {}

  // row: number of the source in the demand. part: through, arrived and along, one after another.
  void run(std::int64_t row, std::vector<double>& part, const Control& control) {
    row_ = row;
    source_ = task_.arcs.inner(task_.demand.sources[row]);
    control_ = &control;
    task_.flows.served[row] = 0;
    order_.clear();
    const T bound = task_.heights == nullptr ? task_.cutoff : semiring::kNoPath<T>;
    search_.run(source_, bound, {}, 0, control, [&](std::int32_t v) { order_.push_back(v); });
    if (order_.empty()) return;
    if (task_.zeros.any()) order_zeros();
    write_demand(true);
    if (task_.ties == Ties::kFirst) {
      choose();
      carry(part);
    } else {
      forward();
      backward(part);
    }
    write_demand(false);
  }

 private:
  // Vertices at the same distance in an order in which arcs of length zero lead forward; those on cycles of
  // such arcs remain in the order in which the search settled them.
  void order_zeros() {
    const auto& zeros = task_.zeros;
    if (task_.ties == Ties::kSplit)
      for (const std::int32_t v : order_)
        if (zeros.on_cycle(task_.arcs.original(v))) throw ZeroCycle{task_.arcs.original(v)};
    const T* labels = search_.labels();
    std::stable_sort(order_.begin() + 1, order_.end(), [&](std::int32_t a, std::int32_t b) {
      if (labels[a] != labels[b]) return labels[a] < labels[b];
      return zeros.rank(task_.arcs.original(a)) < zeros.rank(task_.arcs.original(b));
    });
  }

  void write_demand(bool values) {
    const Demand& demand = task_.demand;
    if (demand.to != nullptr) return;
    for (std::int64_t i = demand.start[row_]; i < demand.start[row_ + 1]; ++i)
      demand_[task_.arcs.inner(demand.targets[i])] = values ? demand.values[i] : 0.0;
  }

  double demand_to(std::int32_t v) const {
    const std::int64_t original = task_.arcs.original(v);
    if (task_.heights != nullptr && beyond(v, original)) return 0;
    return task_.demand.to != nullptr ? task_.demand.to[original] : demand_[v];
  }

  // Whether the distance without potentials is beyond the cutoff.
  bool beyond(std::int32_t v, std::int64_t original) const {
    if (task_.cutoff >= semiring::kNoPath<T>) return false;
    const auto height = static_cast<T>(task_.heights[original] - task_.heights[task_.arcs.original(source_)]);
    return search_.labels()[v] + height > task_.cutoff;
  }

  rows::ArcRange<T> arcs_of(std::int32_t v) const {
    return v == source_ ? task_.arcs.all(v) : task_.arcs.through(v);
  }

  bool is_tight(std::int32_t u, const rows::Arc<T>& arc) const {
    const T length = search_.labels()[arc.head];
    return arc.head != source_ && length < search_.ceiling() &&
           semiring::add(search_.labels()[u], arc.weight) == static_cast<semiring::Sum<T>>(length);
  }

  void forward() {
    const rows::Arc<T>* first = task_.arcs.all(0).first;
    for (const std::int32_t v : order_) paths_[v] = shares_[v] = 0;
    paths_[source_] = 1;
    tight_.clear();
    starts_.assign(1, 0);
    for (const std::int32_t u : order_) {
      for (const rows::Arc<T>& arc : arcs_of(u)) {
        if (!is_tight(u, arc)) continue;
        paths_[arc.head] += paths_[u];
        tight_.push_back(&arc - first);
      }
      starts_.push_back(static_cast<std::int64_t>(tight_.size()));
      if ((starts_.size() & kSeldom) == 0) control_->check();
    }
  }

  void backward(std::vector<double>& part) {
    double *through = part.data(), *arrived = through + n_, served = 0;
    double* along = task_.flows.along != nullptr ? arrived + n_ : nullptr;
    const rows::Arc<T>* first = task_.arcs.all(0).first;
    for (auto i = static_cast<std::int64_t>(order_.size()) - 1; i >= 0; --i) {
      const std::int32_t u = order_[i];
      double sum = 0;
      for (std::int64_t k = starts_[i]; k < starts_[i + 1]; ++k) {
        const double share = shares_[first[tight_[k]].head];
        sum += share;
        if (along != nullptr) along[task_.numbers[tight_[k]]] += paths_[u] * share;
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
    task_.flows.served[row_] = served;
  }

  // The arc by which all demand reaches every vertex, in tight_; its tail in parents_.
  void choose() {
    const rows::Arc<T>* first = task_.arcs.all(0).first;
    parents_.resize(n_);
    tight_.resize(n_);
    for (const std::int32_t v : order_) {
      parents_[v] = -1;
      shares_[v] = 0;
    }
    settled_.assign(n_, 0);
    for (const std::int32_t u : order_) {
      settled_[u] = 1;
      for (const rows::Arc<T>& arc : arcs_of(u)) {
        if (!is_tight(u, arc) || settled_[arc.head]) continue;
        const std::int32_t other = parents_[arc.head];
        if (other >= 0 && task_.arcs.original(other) < task_.arcs.original(u)) continue;
        parents_[arc.head] = u;
        tight_[arc.head] = &arc - first;
      }
    }
    control_->check();
  }

  // shares_: the flow that leads on from a vertex.
  void carry(std::vector<double>& part) {
    double *through = part.data(), *arrived = through + n_, served = 0;
    double* along = task_.flows.along != nullptr ? arrived + n_ : nullptr;
    for (auto i = static_cast<std::int64_t>(order_.size()) - 1; i > 0; --i) {
      const std::int32_t v = order_[i];
      const double ends = demand_to(v), sum = shares_[v] + ends;
      through[v] += shares_[v];
      arrived[v] += ends;
      served += ends;
      if (along != nullptr) along[task_.numbers[tight_[v]]] += sum;
      shares_[parents_[v]] += sum;
    }
    task_.flows.served[row_] = served;
  }

  const LengthTask<T>& task_;
  std::int64_t n_;
  searches::Search<T, Queue, false> search_;
  std::vector<double> paths_, shares_, demand_;
  std::vector<std::int32_t> order_;           // the vertices that the source reaches, by distance
  std::vector<std::int64_t> tight_, starts_;  // arcs of shortest paths, by tail in this order
  std::vector<std::int32_t> parents_;
  std::vector<std::uint8_t> settled_;
  std::int64_t row_ = 0;
  std::int32_t source_ = 0;
  const Control* control_ = nullptr;
};

template <class T, class Queue>
void run_all(const LengthTask<T>& task, int threads, Control& control) {
  const std::int64_t n = task.csr.n, m = task.flows.along != nullptr ? task.csr.m : 0;
  const std::int64_t count = task.demand.count;
  Team team(threads);
  OrderedSums sums(2 * n + m, team.size());
  std::vector<std::unique_ptr<LengthSearch<T, Queue>>> searches(team.size());
  team.parallel_for((count + kSources - 1) / kSources, [&](std::int64_t index, int member) {
    try {
      if (!searches[member]) searches[member] = std::make_unique<LengthSearch<T, Queue>>(task);
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
    task.flows.through[task.arcs.original(v)] = sums[v];
    task.flows.arrived[task.arcs.original(v)] = sums[n + v];
  }
  for (std::int64_t a = 0; a < m; ++a) task.flows.along[a] = sums[2 * n + a];
}

}  // namespace

template <class T>
void flows_by_length(const graph::Csr& graph, const T* weights, const std::int64_t* heights,
                     const Demand& demand, T cutoff, Ties ties, const Flows& flows, int threads,
                     Control& control) {
  const std::vector<std::int32_t> order = graph::nearness_order(graph);
  const LengthTask<T> task(graph, weights, heights, demand, cutoff, ties, flows, order, control);
  if (searches::unit_buckets(task.arcs.largest_weight()))
    run_all<T, searches::BucketQueue<T, true>>(task, threads, control);
  else
    run_all<T, searches::BucketQueue<T, false>>(task, threads, control);
}

#define APSP_INSTANTIATE(T)                                                                                  \
  template void flows_by_length<T>(const graph::Csr&, const T*, const std::int64_t*, const Demand&, T, Ties, \
                                   const Flows&, int, Control&);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
APSP_INSTANTIATE(double)
#undef APSP_INSTANTIATE

}  // namespace apsp::flows
