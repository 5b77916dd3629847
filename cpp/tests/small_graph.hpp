// Small random graphs with integer weights of at least 0, and their distances by Bellman-Ford.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "graph/csr.hpp"
#include "graph/weighted_arcs.hpp"

namespace apsp::tests {

constexpr std::int64_t kNone = INT64_MAX;

struct SmallGraph {
  std::int64_t n;
  std::vector<std::int64_t> indptr;
  std::vector<std::int32_t> indices, weights;
  std::vector<std::uint8_t> zones;  // or none

  graph::Csr csr() const {
    return {n, indptr.data(), indices.data(), static_cast<std::int64_t>(indices.size()),
            zones.empty() ? nullptr : zones.data()};
  }
  graph::WeightedArcs arcs() const {
    return {n, indptr.data(), indices.data(), weights.data(), graph::WeightType::kInt32};
  }
  const bool* closed() const { return zones.empty() ? nullptr : reinterpret_cast<const bool*>(zones.data()); }

  // From a source; paths may start at a zone, but not pass through it.
  std::vector<std::int64_t> row(std::int64_t source) const {
    std::vector<std::int64_t> found(n, kNone);
    found[source] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::int64_t u = 0; u < n; ++u) {
        if (found[u] == kNone || (u != source && !zones.empty() && zones[u])) continue;
        for (std::int64_t a = indptr[u]; a < indptr[u + 1]; ++a) {
          if (found[u] + weights[a] >= found[indices[a]]) continue;
          found[indices[a]] = found[u] + weights[a];
          changed = true;
        }
      }
    }
    return found;
  }
};

// Arcs lead to vertices that are at most `reach` further in a ring, so that there are separators. Some
// vertices have no arcs.
inline SmallGraph small_graph(std::mt19937_64& random, std::int64_t n, std::int64_t reach, int arcs,
                              bool with_zones) {
  SmallGraph made{n, {0}, {}, {}, {}};
  if (with_zones)
    for (std::int64_t v = 0; v < n; ++v) made.zones.push_back(random() % 5 == 0);
  for (std::int64_t u = 0; u < n; ++u) {
    const bool alone = random() % 16 == 0;
    for (int k = 0; k < arcs && !alone; ++k) {
      const auto shift =
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * reach + 1)) - reach;
      made.indices.push_back(static_cast<std::int32_t>(((u + shift) % n + n) % n));
      made.weights.push_back(static_cast<std::int32_t>(random() % 50));
    }
    made.indptr.push_back(static_cast<std::int64_t>(made.indices.size()));
  }
  return made;
}

}  // namespace apsp::tests
