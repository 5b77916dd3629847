#include "searches/weigh.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "graph/nearness.hpp"
#include "rows/arcs.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"
#include "searches/ball.hpp"
#include "searches/buckets.hpp"
#include "searches/heap.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kSourcesWorthReordering = 16;

// The sums of one source while its vertices come in order of distance.
template <class T>
class Running {
 public:
  explicit Running(const reductions::Weighing<T>& weighing)
      : weighing_(weighing), sums_(static_cast<std::size_t>(weighing.kinds)) {}

  void start(double* out) {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    cutoff_ = 0;
    out_ = out;
  }
  void add(T length, const double* amounts) {
    while (cutoff_ < weighing_.cutoff_count && weighing_.cutoffs[cutoff_] < length) pass();
    if (weighing_.decay.kind == reductions::DecayKind::kNone) {
      for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += amounts[k];
    } else {
      const double factor = weighing_.decay(static_cast<double>(length));
      for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += factor * amounts[k];
    }
  }
  void finish() {
    while (cutoff_ < weighing_.cutoff_count) pass();
  }

 private:
  void pass() { std::copy(sums_.begin(), sums_.end(), out_ + cutoff_++ * weighing_.kinds); }

  const reductions::Weighing<T>& weighing_;
  std::vector<double> sums_;
  std::int64_t cutoff_ = 0;
  double* out_ = nullptr;
};

template <class T, class Queue>
void weigh(const rows::Arcs<T>& arcs, const std::int32_t* sources, std::int64_t count,
           const reductions::Weighing<T>& weighing, const double* amounts, int threads, Control& control) {
  struct Member {
    BallSearch<T, Queue> search;
    Running<T> running;
  };
  const std::int64_t kinds = weighing.kinds;
  Team team(threads);
  std::vector<std::unique_ptr<Member>> members(team.size());
  team.parallel_for(count, [&](std::int64_t row, int number) {
    control.check();
    auto& member = members[number];
    if (!member)
      member.reset(new Member{BallSearch<T, Queue>(arcs, weighing.longest()), Running<T>(weighing)});
    member->running.start(weighing.sums + row * weighing.per_row());
    member->search.run(arcs.inner(sources[row]), control, [&](std::int32_t v, T length) {
      member->running.add(length, amounts + v * kinds);
      return true;
    });
    member->running.finish();
    control.advance(1);
  });
}

}  // namespace

template <class T>
void weigh_balls(const graph::Csr& graph, const T* weights, const std::int32_t* sources, std::int64_t count,
                 const reductions::Weighing<T>& weighing, QueueKind queue, int threads, Control& control) {
  graph::check_csr(graph);
  graph::check_vertices(sources, count, graph.n, "sources");
  reductions::check_weighing(weighing);
  std::vector<std::int32_t> order;
  if (count >= kSourcesWorthReordering) order = graph::nearness_order(graph);
  const rows::Arcs<T> arcs(graph, weights, order.empty() ? nullptr : order.data());
  std::vector<double> amounts(static_cast<std::size_t>(graph.n * weighing.kinds));
  for (std::int32_t v = 0; v < graph.n; ++v)
    std::copy_n(weighing.amounts + arcs.original(v) * weighing.kinds, weighing.kinds,
                amounts.data() + v * weighing.kinds);
  if (queue == QueueKind::kHeap)
    weigh<T, HeapQueue<T>>(arcs, sources, count, weighing, amounts.data(), threads, control);
  else if (unit_buckets(arcs.largest_weight()))
    weigh<T, BucketQueue<T, true>>(arcs, sources, count, weighing, amounts.data(), threads, control);
  else
    weigh<T, BucketQueue<T, false>>(arcs, sources, count, weighing, amounts.data(), threads, control);
}

#define APSP_INSTANTIATE(T)                                                                    \
  template void weigh_balls<T>(const graph::Csr&, const T*, const std::int32_t*, std::int64_t, \
                               const reductions::Weighing<T>&, QueueKind, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
