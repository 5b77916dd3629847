// Bellman-Ford from all vertices at once, in exact arithmetic, with checks for cycles among the parents.
// Cherkassky, Goldberg 1999, "Negative-cycle detection algorithms", section 4.2 (amortised search).
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::searches {

// The vertices of a cycle among the parents (-1: none), in the direction of the arcs; empty if there is none.
inline std::vector<std::int32_t> parent_cycle(const std::vector<std::int32_t>& parents) {
  const auto n = static_cast<std::int64_t>(parents.size());
  std::vector<std::int32_t> walked_from(n, -1);
  for (std::int32_t start = 0; start < n; ++start) {
    std::int32_t v = start;
    while (v >= 0 && walked_from[v] < 0) {
      walked_from[v] = start;
      v = parents[v];
    }
    if (v < 0 || walked_from[v] != start) continue;
    std::vector<std::int32_t> cycle{v};
    for (std::int32_t u = parents[v]; u != v; u = parents[u]) cycle.push_back(u);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }
  return {};
}

// First in, first out; every vertex is in it at most once.
class VertexQueue {
 public:
  explicit VertexQueue(std::int64_t n) : ring_(n), waiting_(n, 1), count_(n) {
    for (std::int64_t v = 0; v < n; ++v) ring_[v] = static_cast<std::int32_t>(v);
  }
  bool empty() const noexcept { return count_ == 0; }
  void push(std::int32_t v) noexcept {
    if (waiting_[v]) return;
    waiting_[v] = 1;
    ring_[(first_ + count_++) % static_cast<std::int64_t>(ring_.size())] = v;
  }
  std::int32_t pop() noexcept {
    const std::int32_t v = ring_[first_];
    first_ = first_ + 1 == static_cast<std::int64_t>(ring_.size()) ? 0 : first_ + 1;
    --count_;
    waiting_[v] = 0;
    return v;
  }

 private:
  std::vector<std::int32_t> ring_;
  std::vector<std::uint8_t> waiting_;
  std::int64_t first_ = 0, count_;
};

// Bellman-Ford from all vertices at once. In exact arithmetic a cycle of parents is a negative cycle, and if
// the graph has one, a cycle of parents appears; a check every n improvements takes no longer than the
// improvements. Until then no height is below -(2 n) times the largest weight, so Int cannot overflow if the
// caller has chosen it accordingly.
template <class Int, class Length>
std::vector<std::int32_t> heights(const graph::Csr& graph, const Length& length, std::vector<Int>& height,
                                  Control& control) {
  height.assign(graph.n, 0);
  std::vector<std::int32_t> parents(graph.n, -1);
  VertexQueue queue(graph.n);
  std::int64_t improved = 0, taken = 0;
  while (!queue.empty()) {
    const std::int32_t u = queue.pop();
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
      const std::int32_t v = graph.indices[a];
      const Int sum = height[u] + length(a);
      if (!(sum < height[v])) continue;
      if (v == u) return {u};
      height[v] = sum;
      parents[v] = u;
      queue.push(v);
      ++improved;
    }
    if (improved >= graph.n) {
      improved = 0;
      auto cycle = parent_cycle(parents);
      if (!cycle.empty()) return cycle;
    }
    if ((++taken & 0xfff) == 0) control.check();
  }
  return {};
}

}  // namespace apsp::searches
