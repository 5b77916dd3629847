#include "searches/johnson.hpp"

#include <algorithm>
#include <vector>

#include "rows/arcs.hpp"
#include "searches/buckets.hpp"
#include "searches/johnson_search.hpp"

namespace apsp::searches {
namespace {

__extension__ typedef __int128 Wide;

// Reduced lengths beyond this cannot belong to a distance within the cutoff, or to a vertex on the path to
// one.
template <class T, class Reduced>
Reduced reduced_cutoff(T cutoff, std::int64_t source_height, std::int64_t lowest) {
  if (cutoff == semiring::kNoPath<T>) return semiring::kNoPath<Reduced>;
  const Wide limit = static_cast<Wide>(cutoff) + source_height - lowest;
  return limit >= semiring::kNoPath<Reduced> ? semiring::kNoPath<Reduced>
                                             : static_cast<Reduced>(limit < -1 ? Wide{-1} : limit);
}

template <class T, class Reduced, class Limit, class Restore>
void search_rows(const rows::Arcs<Reduced>& arcs, const rows::RowRequest<T>& request, int threads,
                 Control& control, const Limit& limit, const Restore& restore) {
  if (unit_buckets(arcs.largest_weight()))
    search_with<BucketQueue<Reduced, true>>(arcs, request, threads, control, limit, restore);
  else
    search_with<BucketQueue<Reduced, false>>(arcs, request, threads, control, limit, restore);
}

}  // namespace

template <class T, class Reduced>
void johnson_rows(const graph::Csr& graph, const Reduced* reduced, const std::int64_t* height,
                  const rows::RowRequest<T>& request, int threads, Control& control) {
  graph::check_csr(graph);
  rows::check_request(request, graph.n);
  const rows::Arcs<Reduced> arcs(graph, reduced, nullptr);
  const std::int64_t lowest = graph.n == 0 ? 0 : *std::min_element(height, height + graph.n);
  const auto restore = [&](const auto& search, std::int32_t source, const auto& order,
                           std::vector<T>& lengths) {
    for (const std::int32_t v : order) {
      const Wide length = static_cast<Wide>(search.labels()[v]) - height[source] + height[v];
      if (length < semiring::kNoPath<T>) lengths[v] = static_cast<T>(length);
    }
  };
  const auto limit = [&](std::int32_t source) {
    return reduced_cutoff<T, Reduced>(request.cutoff, height[source], lowest);
  };
  search_rows(arcs, request, threads, control, limit, restore);
}

#define APSP_INSTANTIATE(T, Reduced)                                                             \
  template void johnson_rows<T, Reduced>(const graph::Csr&, const Reduced*, const std::int64_t*, \
                                         const rows::RowRequest<T>&, int, Control&);
APSP_INSTANTIATE(std::uint16_t, std::int32_t)
APSP_INSTANTIATE(std::uint16_t, std::int64_t)
APSP_INSTANTIATE(std::int32_t, std::int32_t)
APSP_INSTANTIATE(std::int32_t, std::int64_t)
APSP_INSTANTIATE(std::int64_t, std::int32_t)
APSP_INSTANTIATE(std::int64_t, std::int64_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
