// The graph as passed by the caller (borrowed CSR arrays), and the checks that make every later index safe.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace apsp::graph {

struct Csr {
  std::int64_t n = 0;
  const std::int64_t* indptr = nullptr;   // (n + 1,)
  const std::int32_t* indices = nullptr;  // (m,)
  std::int64_t m = 0;
  const std::uint8_t* zones =
      nullptr;  // (n,) or nullptr: true where a path may start or end, not pass through

  bool is_zone(std::int64_t v) const noexcept { return zones != nullptr && zones[v] != 0; }
};

inline void check_vertices(const std::int32_t* vertices, std::int64_t count, std::int64_t n,
                           const char* what) {
  for (std::int64_t i = 0; i < count; ++i)
    if (vertices[i] < 0 || vertices[i] >= n)
      throw std::invalid_argument(std::string(what) + ": vertex " + std::to_string(vertices[i]) +
                                  " is not between 0 and " + std::to_string(n - 1));
}

inline void check_csr(const Csr& graph) {
  if (graph.indptr[0] != 0 || graph.indptr[graph.n] != graph.m)
    throw std::invalid_argument("indptr must start at 0 and end at the number of arcs");
  for (std::int64_t v = 0; v < graph.n; ++v)
    if (graph.indptr[v] > graph.indptr[v + 1]) throw std::invalid_argument("indptr must never fall");
  check_vertices(graph.indices, graph.m, graph.n, "indices");
}

}  // namespace apsp::graph
