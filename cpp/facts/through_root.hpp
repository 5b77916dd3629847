// A fast proof of an upper bound on distances, for graphs with short paths between all vertices: every path
// may go through one root r, so d(u, v) <= d(u, r) + d(r, v). A few sweeps over all arcs give upper bounds of
// both terms, which is sufficient: they need not be shortest.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "graph/csr.hpp"

namespace apsp::facts {

// weights: (m,) or nullptr if every arc has length 1. Length is int64 or double and holds sums of two
// bounds. Returns a bound on every distance, or nothing if `sweeps` sweeps did not join every vertex to the
// root. Stops early when the bound is at most `enough`. O(sweeps m). Zones may be ends of paths but not inner
// vertices, so the root must not be one.
template <class Weight, class Length>
std::optional<Length> through_root(const graph::Csr& graph, const Weight* weights, std::int32_t root,
                                   int sweeps, Length enough) {
  const Length far = std::numeric_limits<Length>::max() / 4;  // far + far and far + a weight do not wrap
  std::vector<Length> from(graph.n, far), to(graph.n, far);
  from[root] = to[root] = Length{0};
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    bool changed = false;
    for (std::int64_t u = 0; u < graph.n; ++u) {
      const bool leads_on = !graph.is_zone(u);
      Length nearest = to[u];
      for (std::int64_t arc = graph.indptr[u]; arc < graph.indptr[u + 1]; ++arc) {
        const std::int32_t head = graph.indices[arc];
        const Length weight = weights != nullptr ? static_cast<Length>(weights[arc]) : Length{1};
        if (weight >= far) continue;
        if (!graph.is_zone(head)) nearest = std::min(nearest, static_cast<Length>(weight + to[head]));
        if (leads_on && from[u] + weight < from[head]) {
          from[head] = from[u] + weight;
          changed = true;
        }
      }
      changed |= nearest < to[u];
      to[u] = nearest;
    }
    const Length out = *std::max_element(from.begin(), from.end()),
                 in = *std::max_element(to.begin(), to.end());
    if (out < far && in < far && (out + in <= enough || !changed || sweep + 1 == sweeps)) return out + in;
    if (!changed) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace apsp::facts
