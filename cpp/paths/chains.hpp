// Rows of predecessors as forests: results of walks from every vertex to the root of its tree.
#pragma once
#include <cstdint>
#include <vector>

namespace apsp::paths {

// first[v]: the vertex after the root on the chain root -> ... -> v; -1 for roots (before[v] < 0).
// Each vertex is visited at most twice. Returns the first vertex whose chain contains a cycle or leaves [0,
// n), or -1 if there is none.
inline std::int64_t first_steps(const std::int32_t* before, std::int64_t n, std::int32_t* first) {
  constexpr std::int32_t kUnknown = -2, kOnChain = -3;
  for (std::int64_t v = 0; v < n; ++v) first[v] = before[v] < 0 ? -1 : kUnknown;
  for (std::int64_t start = 0; start < n; ++start) {
    std::int64_t v = start;
    while (first[v] == kUnknown) {
      first[v] = kOnChain;
      const std::int64_t up = before[v];
      if (up >= n) return start;
      if (first[up] == -1)
        first[v] = static_cast<std::int32_t>(v);  // its predecessor is the root
      else
        v = up;
    }
    if (first[v] == kOnChain) return start;
    const std::int32_t step = first[v];
    for (std::int64_t w = start; first[w] == kOnChain; w = before[w]) first[w] = step;
  }
  return -1;
}

}  // namespace apsp::paths
