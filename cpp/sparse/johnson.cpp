#include "sparse/johnson.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/team.hpp"
#include "sparse/arcs.hpp"
#include "sparse/buckets.hpp"
#include "sparse/search.hpp"

namespace apsp::sparse {
namespace {

__extension__ typedef __int128 Wide;

// What the two kinds share: a finished row of original lengths (kNoPath where not reached), and its
// predecessors.
template <class T>
void write_row(const RowRequest<T>& request, std::int64_t n, std::int64_t row, const std::vector<T>& lengths,
               const std::int32_t* parents, std::vector<std::uint8_t>& needed) {
  const auto within = [&](std::int64_t v) {
    return lengths[v] != kNoPath<T> && !(request.cutoff < lengths[v]);
  };
  T* out = request.dist + row * request.dist_stride;
  for (std::int64_t i = 0; i < request.columns; ++i) {
    const std::int64_t v = request.targets == nullptr ? i : request.targets[i];
    out[i] = within(v) ? lengths[v] : kNoPath<T>;
  }
  if (request.pred == nullptr) return;
  // Lengths may fall along a path, so a path within the cutoff may pass through vertices beyond it: those
  // keep their predecessors too.
  const std::int32_t source = request.sources[row];
  needed.assign(n, 0);
  for (std::int64_t v = 0; v < n; ++v)
    if (within(v))
      for (std::int64_t u = v; !needed[u]; u = parents[u]) {
        needed[u] = 1;
        if (u == source) break;
      }
  std::int32_t* before = request.pred + row * request.pred_stride;
  for (std::int64_t v = 0; v < n; ++v) before[v] = needed[v] && v != source ? parents[v] : -1;
}

// Reduced lengths beyond this cannot belong to a distance within the cutoff, nor lie on the way to one.
template <class T, class Reduced>
Reduced reduced_cutoff(T cutoff, std::int64_t source_height, std::int64_t lowest) {
  if (cutoff == kNoPath<T>) return kNoPath<Reduced>;
  const Wide limit = static_cast<Wide>(cutoff) + source_height - lowest;
  return limit >= kNoPath<Reduced> ? kNoPath<Reduced> : static_cast<Reduced>(limit < -1 ? Wide{-1} : limit);
}

// The arc from u to v; rows are sorted by head, and where they are not every arc is looked at.
std::int64_t find_arc(const Csr& graph, std::int32_t u, std::int32_t v) {
  const std::int32_t* first = graph.indices + graph.indptr[u];
  const std::int32_t* last = graph.indices + graph.indptr[u + 1];
  const std::int32_t* found = std::lower_bound(first, last, v);
  if (found == last || *found != v) found = std::find(first, last, v);
  return found - graph.indices;
}

// The loop over rows: a member owns one Search, a row of lengths and the rows that it draws.
// kUnit: see BucketQueue.
// restore(search, source, order, lengths) fills the original lengths of the vertices in `order`, as they were
// settled.
template <class T, bool kUnit, class Reduced, class Limit, class Restore>
void search_with(const Csr& graph, const Arcs<Reduced>& arcs, const RowRequest<T>& request, int threads,
                 Control& control, const Limit& limit, const Restore& restore) {
  struct Member {
    explicit Member(const Arcs<Reduced>& arcs) : search(arcs), lengths(arcs.n()) {}
    Search<Reduced, BucketQueue<Reduced, kUnit>, true> search;
    std::vector<T> lengths;
    std::vector<std::int32_t> order;
    std::vector<std::uint8_t> needed;
  };
  const Wanted wanted(request, arcs);
  Team team(threads);
  std::vector<std::unique_ptr<Member>> members(team.size());
  team.parallel_for(request.count, [&](std::int64_t row, int member) {
    control.check();
    if (!members[member]) members[member] = std::make_unique<Member>(arcs);
    Member& own = *members[member];
    const std::int32_t source = request.sources[row];
    own.order.clear();
    std::fill(own.lengths.begin(), own.lengths.end(), kNoPath<T>);
    own.search.run(source, limit(source), wanted.marks, request.pred != nullptr ? 0 : wanted.count, control,
                   [&](std::int32_t v) { own.order.push_back(v); });
    restore(own.search, source, own.order, own.lengths);
    write_row(request, graph.n, row, own.lengths, own.search.parents(), own.needed);
    control.advance(1);
  });
}

template <class T, class Reduced, class Limit, class Restore>
void search_rows(const Csr& graph, const Arcs<Reduced>& arcs, const RowRequest<T>& request, int threads,
                 Control& control, const Limit& limit, const Restore& restore) {
  if (unit_buckets(arcs.largest_weight()))
    search_with<T, true>(graph, arcs, request, threads, control, limit, restore);
  else
    search_with<T, false>(graph, arcs, request, threads, control, limit, restore);
}

}  // namespace

template <class T, class Reduced>
void johnson_rows(const Csr& graph, const Reduced* reduced, const std::int64_t* height,
                  const RowRequest<T>& request, int threads, Control& control) {
  check_csr(graph);
  check_request(request, graph.n);
  const Arcs<Reduced> arcs(graph, reduced, nullptr);
  const std::int64_t lowest = graph.n == 0 ? 0 : *std::min_element(height, height + graph.n);
  const auto restore = [&](const auto& search, std::int32_t source, const auto& order,
                           std::vector<T>& lengths) {
    for (const std::int32_t v : order) {
      const Wide length = static_cast<Wide>(search.labels()[v]) - height[source] + height[v];
      if (length < kNoPath<T>) lengths[v] = static_cast<T>(length);
    }
  };
  const auto limit = [&](std::int32_t source) {
    return reduced_cutoff<T, Reduced>(request.cutoff, height[source], lowest);
  };
  search_rows<T>(graph, arcs, request, threads, control, limit, restore);
}

template <class T>
void johnson_rows(const Csr& graph, const double* reduced, const T* weights, const RowRequest<T>& request,
                  int threads, Control& control) {
  check_csr(graph);
  check_request(request, graph.n);
  const Arcs<double> arcs(graph, reduced, nullptr);
  const auto restore = [&](const auto& search, std::int32_t source, const auto& order,
                           std::vector<T>& lengths) {
    for (const std::int32_t v : order) {
      const std::int32_t u = search.parents()[v];
      lengths[v] = v == source ? T{0} : static_cast<T>(lengths[u] + weights[find_arc(graph, u, v)]);
    }
  };
  search_rows<T>(
      graph, arcs, request, threads, control, [](std::int32_t) { return kNoPath<double>; }, restore);
}

#define APSP_INSTANTIATE(T, Reduced)                                                      \
  template void johnson_rows<T, Reduced>(const Csr&, const Reduced*, const std::int64_t*, \
                                         const RowRequest<T>&, int, Control&);
APSP_INSTANTIATE(std::uint16_t, std::int32_t)
APSP_INSTANTIATE(std::uint16_t, std::int64_t)
APSP_INSTANTIATE(std::int32_t, std::int32_t)
APSP_INSTANTIATE(std::int32_t, std::int64_t)
APSP_INSTANTIATE(std::int64_t, std::int32_t)
APSP_INSTANTIATE(std::int64_t, std::int64_t)
#undef APSP_INSTANTIATE
template void johnson_rows<float>(const Csr&, const double*, const float*, const RowRequest<float>&, int,
                                  Control&);
template void johnson_rows<double>(const Csr&, const double*, const double*, const RowRequest<double>&, int,
                                   Control&);

}  // namespace apsp::sparse
