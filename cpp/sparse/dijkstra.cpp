#include "sparse/dijkstra.hpp"

#include <memory>
#include <vector>

#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"
#include "sparse/arcs.hpp"
#include "sparse/buckets.hpp"
#include "sparse/heap.hpp"
#include "sparse/nearness.hpp"
#include "sparse/search.hpp"

namespace apsp::sparse {
namespace {

constexpr std::int64_t kSourcesWorthReordering = 16;

// A member owns one Search (labels, parents, queue), made by the thread that uses it, and the rows that it
// draws. No two members write the same row, and everything shared is read only.
template <class T, class Queue, bool kPred>
void search_rows(const Arcs<T>& arcs, const RowRequest<T>& request, int threads, Control& control) {
  using RowSearch = Search<T, Queue, kPred>;
  const Wanted wanted(request, arcs);
  Team team(threads);
  std::vector<std::unique_ptr<RowSearch>> searches(team.size());
  team.parallel_for(request.count, [&](std::int64_t row, int member) {
    control.check();
    if (!searches[member]) searches[member] = std::make_unique<RowSearch>(arcs);
    RowSearch& search = *searches[member];
    // With predecessors, every vertex is wanted.
    search.run(arcs.inner(request.sources[row]), request.cutoff, wanted.marks, kPred ? 0 : wanted.count,
               control, [](std::int32_t) {});
    write_lengths(request, arcs, row, search.labels(), search.ceiling());
    if constexpr (kPred)
      write_parents(request, arcs, row, search.labels(), search.ceiling(), search.parents());
    control.advance(1);
  });
}

template <class T, class Queue>
void search_rows(const Arcs<T>& arcs, const RowRequest<T>& request, int threads, Control& control) {
  if (request.pred != nullptr)
    search_rows<T, Queue, true>(arcs, request, threads, control);
  else
    search_rows<T, Queue, false>(arcs, request, threads, control);
}

}  // namespace

template <class T>
void dijkstra_rows(const Csr& graph, const T* weights, const RowRequest<T>& request, QueueKind queue,
                   int threads, Control& control) {
  check_csr(graph);
  check_request(request, graph.n);
  std::vector<std::int32_t> order;  // it costs about as much as half a search
  if (request.count >= kSourcesWorthReordering) order = nearness_order(graph);
  const Arcs<T> arcs(graph, weights, order.empty() ? nullptr : order.data());
  if (queue == QueueKind::kHeap)
    search_rows<T, HeapQueue<T>>(arcs, request, threads, control);
  else if (unit_buckets(arcs.largest_weight()))
    search_rows<T, BucketQueue<T, true>>(arcs, request, threads, control);
  else
    search_rows<T, BucketQueue<T, false>>(arcs, request, threads, control);
}

#define APSP_INSTANTIATE(T) \
  template void dijkstra_rows<T>(const Csr&, const T*, const RowRequest<T>&, QueueKind, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::sparse
