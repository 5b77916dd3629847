#include "searches/dijkstra.hpp"

#include <memory>
#include <vector>

#include "graph/nearness.hpp"
#include "rows/arcs.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"
#include "searches/buckets.hpp"
#include "searches/heap.hpp"
#include "searches/search.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kSourcesWorthReordering = 16;

// A member owns one Search (labels, parents, queue), made by the thread that uses it, and the rows that it
// takes. No two members write the same row, and all shared data is read-only.
template <class T, class Queue, bool kPred>
void search_rows(const rows::Arcs<T>& arcs, const rows::RowRequest<T>& request, int threads,
                 Control& control) {
  using RowSearch = Search<T, Queue, kPred>;
  const rows::Wanted wanted(request, arcs);
  Team team(threads);
  std::vector<std::unique_ptr<RowSearch>> searches(team.size());
  team.parallel_for(request.count, [&](std::int64_t row, int member) {
    control.check();
    if (!searches[member]) searches[member] = std::make_unique<RowSearch>(arcs);
    RowSearch& search = *searches[member];
    // With predecessors, all vertices are needed.
    search.run(arcs.inner(request.sources[row]), request.cutoff, wanted.marks, kPred ? 0 : wanted.count,
               control, [](std::int32_t) {});
    rows::write_lengths(request, arcs, row, search.labels(), search.ceiling());
    if constexpr (kPred)
      rows::write_parents(request, arcs, row, search.labels(), search.ceiling(), search.parents());
    control.advance(1);
  });
}

template <class T, class Queue>
void search_rows(const rows::Arcs<T>& arcs, const rows::RowRequest<T>& request, int threads,
                 Control& control) {
  if (request.pred != nullptr)
    search_rows<T, Queue, true>(arcs, request, threads, control);
  else
    search_rows<T, Queue, false>(arcs, request, threads, control);
}

}  // namespace

template <class T>
void dijkstra_rows(const graph::Csr& graph, const T* weights, const rows::RowRequest<T>& request,
                   QueueKind queue, int threads, Control& control) {
  graph::check_csr(graph);
  rows::check_request(request, graph.n);
  std::vector<std::int32_t> order;  // it takes about as long as half a search
  if (request.count >= kSourcesWorthReordering) order = graph::nearness_order(graph);
  const rows::Arcs<T> arcs(graph, weights, order.empty() ? nullptr : order.data());
  if (queue == QueueKind::kHeap)
    search_rows<T, HeapQueue<T>>(arcs, request, threads, control);
  else if (unit_buckets(arcs.largest_weight()))
    search_rows<T, BucketQueue<T, true>>(arcs, request, threads, control);
  else
    search_rows<T, BucketQueue<T, false>>(arcs, request, threads, control);
}

#define APSP_INSTANTIATE(T)                                                                               \
  template void dijkstra_rows<T>(const graph::Csr&, const T*, const rows::RowRequest<T>&, QueueKind, int, \
                                 Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
