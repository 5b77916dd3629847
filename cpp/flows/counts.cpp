#include "flows/counts.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>

#include "flows/hop_search.hpp"
#include "flows/tied_search.hpp"
#include "graph/nearness.hpp"
#include "runtime/team.hpp"
#include "searches/buckets.hpp"

namespace apsp::flows {
namespace {

constexpr std::int64_t kColumns = 32;  // whose lines of 64 sources are in the first cache at one time

// Queue: buckets as wide as the largest weight needs.
template <class Number = double, class T, class Act>
auto with_queue(const LengthTask<T>& task, Act&& act) {
  if (searches::unit_buckets(task.arcs.largest_weight()))
    return act(std::type_identity<TiedSearch<T, searches::BucketQueue<T, true>, Number>>());
  return act(std::type_identity<TiedSearch<T, searches::BucketQueue<T, false>, Number>>());
}

}  // namespace

void counts_by_hops(const graph::Csr& graph, std::int64_t cutoff, const Counts<double>& counts, int threads,
                    Control& control) {
  const HopTask task(graph, counts.sources, counts.count, cutoff);
  const std::vector<std::int64_t> rows = task.rows_in_patches();
  Team team(threads);
  std::vector<std::unique_ptr<HopSearch>> searches(team.size());
  team.parallel_for((counts.count + kLanes - 1) / kLanes, [&](std::int64_t index, int member) {
    control.check();
    if (!searches[member]) searches[member] = std::make_unique<HopSearch>(task);
    const HopSearch& search = *searches[member];
    const std::int64_t* mine = rows.data() + index * kLanes;
    const auto count = static_cast<int>(std::min<std::int64_t>(kLanes, counts.count - index * kLanes));
    searches[member]->run(mine, count, control);
    for (std::int64_t first = 0; first < counts.columns; first += kColumns)
      for (int lane = 0; lane < count; ++lane)
        for (std::int64_t j = first; j < std::min(first + kColumns, counts.columns); ++j) {
          const double number = search.paths(lane, counts.target(j));
          if (!(number < std::numeric_limits<double>::infinity())) throw TooManyPaths{search.source(lane)};
          counts.paths[mine[lane] * counts.stride + j] = number;
        }
    control.advance(count);
  });
}

template <class T, class Number>
void counts_by_length(const graph::Csr& graph, const T* weights, const std::int64_t* heights, T cutoff,
                      const Counts<Number>& counts, int threads, Control& control) {
  const std::vector<std::int32_t> order = graph::nearness_order(graph);
  const LengthTask<T> task(graph, weights, heights, cutoff, order.data(), control);
  with_queue<Number>(task, [&](auto kind) {
    using Search = typename decltype(kind)::type;
    Team team(threads);
    std::vector<std::unique_ptr<Search>> searches(team.size());
    team.parallel_for(counts.count, [&](std::int64_t row, int member) {
      control.check();
      if (!searches[member]) searches[member] = std::make_unique<Search>(task);
      Search& search = *searches[member];
      search.run(counts.sources[row], control);
      search.count();
      for (std::int64_t j = 0; j < counts.columns; ++j)
        counts.paths[row * counts.stride + j] = search.paths(counts.target(j));
      control.advance(1);
    });
  });
}

template <class T>
Predecessors tied_predecessors(const graph::Csr& graph, const T* weights, std::int32_t source, T cutoff,
                               const Control& control) {
  const LengthTask<T> task(graph, weights, nullptr, cutoff, nullptr, control);
  return with_queue(task, [&](auto kind) {
    typename decltype(kind)::type search(task);
    search.run(source, control);
    Predecessors found{std::vector<std::int64_t>(graph.n + 2, 0), {}};
    std::vector<std::int64_t>& start = found.first;
    search.for_each_tight([&](std::int32_t, std::int32_t head) { ++start[head + 2]; });
    for (std::int64_t v = 1; v <= graph.n; ++v) start[v + 1] += start[v];
    found.second.resize(start[graph.n + 1]);
    search.for_each_tight(
        [&](std::int32_t tail, std::int32_t head) { found.second[start[head + 1]++] = tail; });
    start.pop_back();
    for (std::int64_t v = 0; v < graph.n; ++v)
      std::sort(found.second.begin() + start[v], found.second.begin() + start[v + 1]);
    return found;
  });
}

#define APSP_INSTANTIATE(T)                                                                                  \
  template void counts_by_length(const graph::Csr&, const T*, const std::int64_t*, T, const Counts<double>&, \
                                 int, Control&);                                                             \
  template void counts_by_length(const graph::Csr&, const T*, const std::int64_t*, T,                        \
                                 const Counts<std::uint64_t>&, int, Control&);                               \
  template Predecessors tied_predecessors<T>(const graph::Csr&, const T*, std::int32_t, T, const Control&);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
APSP_INSTANTIATE(double)
#undef APSP_INSTANTIATE

}  // namespace apsp::flows
