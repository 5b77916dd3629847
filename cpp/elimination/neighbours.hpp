// The undirected structure that elimination works on: neighbours of vertices, ignoring the direction of the
// arcs.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"

namespace apsp::elimination {

using Vertex = std::int32_t;

struct Neighbours {
  std::int64_t n = 0;
  std::vector<std::int64_t> start;  // (n + 1)
  std::vector<Vertex> other;        // rows ascending, each neighbour once, without the vertex itself

  std::int64_t degree(Vertex v) const noexcept { return start[v + 1] - start[v]; }
  const Vertex* begin(Vertex v) const noexcept { return other.data() + start[v]; }
  const Vertex* end(Vertex v) const noexcept { return other.data() + start[v + 1]; }
};

// Both directions of every arc, except arcs that leave zones (no path passes through one). O(n + m log d).
Neighbours neighbours_of(const graph::Csr& graph);

}  // namespace apsp::elimination
