#include "facts/through_root.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace apsp::facts {

namespace {

constexpr int kProbed =
    2;  // sweeps after which those that remain must be likely to join half of the vertices

// Bounds on the distances from the root to a vertex, and back.
template <class Length>
struct Joined {
  Length from, to;
};

// What paths may cost between vertices that are not joined to the root: each leaves a vertex at most once, by
// the longest arc to such a vertex.
template <class Weight, class Length>
Length apart(const graph::Csr& graph, const Weight* weights, const std::vector<Joined<Length>>& bounds,
             Length Joined<Length>::* which, Length far) {
  Length sum = 0;
  for (std::int64_t u = 0; u < graph.n && sum < far; ++u) {
    if (bounds[u].*which < far) continue;
    Length longest = 0;
    for (std::int64_t arc = graph.indptr[u]; arc < graph.indptr[u + 1]; ++arc)
      if (!(bounds[graph.indices[arc]].*which < far))
        longest = std::max(longest, weights != nullptr ? static_cast<Length>(weights[arc]) : Length{1});
    sum = longest < far ? sum + longest : far;
  }
  return std::min(sum, far);
}

template <class Length>
Length there_and_back(const std::vector<Joined<Length>>& bounds, Length far) {
  Joined<Length> largest{0, 0};
  for (const Joined<Length>& bound : bounds) {
    if (bound.from < far) largest.from = std::max(largest.from, bound.from);
    if (bound.to < far) largest.to = std::max(largest.to, bound.to);
  }
  return largest.from + largest.to;
}

}  // namespace

template <class Weight, class Length>
std::optional<Length> through_root(const graph::Csr& graph, const Weight* weights, std::int32_t root,
                                   int sweeps, Length enough) {
  const Length far = std::numeric_limits<Length>::max() / 4;  // far + far and far + a weight do not wrap
  std::vector<Joined<Length>> bounds(graph.n, {far, far});
  bounds[root] = {0, 0};
  std::int64_t joined = 2;
  bool skipped = false;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    bool changed = false;
    const std::int64_t before = joined;
    for (std::int64_t u = 0; u < graph.n; ++u) {
      const Length start = graph.is_zone(u) ? far : bounds[u].from;
      Length nearest = bounds[u].to;
      for (std::int64_t arc = graph.indptr[u]; arc < graph.indptr[u + 1]; ++arc) {
        const std::int32_t head = graph.indices[arc];
        const Length weight = weights != nullptr ? static_cast<Length>(weights[arc]) : Length{1};
        if (weight >= far) {
          skipped = true;
          continue;
        }
        Joined<Length>& end = bounds[head];
        const Length through = graph.is_zone(head) ? far : end.to;
        // (a sum that is too long for the search joins nothing)
        skipped |= (start < far && start + weight >= far) || (through < far && through + weight >= far);
        nearest = std::min(nearest, static_cast<Length>(weight + through));
        if (start + weight < end.from) {
          joined += static_cast<std::int64_t>(!(end.from < far));
          end.from = start + weight;
          changed = true;
        }
      }
      if (nearest < bounds[u].to) {
        joined += static_cast<std::int64_t>(!(bounds[u].to < far));
        bounds[u].to = nearest;
        changed = true;
      }
    }
    const bool all = joined == 2 * graph.n;
    if (all || (joined == before && graph.zones == nullptr && !skipped)) {
      Length bound = there_and_back(bounds, far);
      if (!all)
        bound = std::max({bound, apart(graph, weights, bounds, &Joined<Length>::from, far),
                          apart(graph, weights, bounds, &Joined<Length>::to, far)});
      if (bound < far && (bound <= enough || !changed || sweep + 1 == sweeps)) return bound;
    }
    const double growth = static_cast<double>(joined) / static_cast<double>(before);
    const double likely = static_cast<double>(joined) * std::pow(growth, sweeps - sweep - 1);
    if (!changed || (sweep >= kProbed && likely < static_cast<double>(graph.n))) return std::nullopt;
  }
  return std::nullopt;
}

#define APSP_INSTANTIATE(W, L) \
  template std::optional<L> through_root<W, L>(const graph::Csr&, const W*, std::int32_t, int, L);
APSP_INSTANTIATE(std::int32_t, std::int64_t)
APSP_INSTANTIATE(std::int64_t, std::int64_t)
APSP_INSTANTIATE(float, double)
APSP_INSTANTIATE(double, double)
#undef APSP_INSTANTIATE

}  // namespace apsp::facts
