#include "facts/depth.hpp"

#include <algorithm>
#include <vector>

namespace apsp::facts {
namespace {

// A breadth-first search.
struct Search {
  std::vector<std::int32_t> queue;
  std::vector<std::uint8_t> seen;
  std::int64_t depth = 0;
  std::int64_t leaving = 0;  // arcs of the vertices that it reached
  std::int32_t farthest = 0;

  Search(const graph::Csr& graph, std::int32_t root, const Control& control) : queue(graph.n), seen(graph.n) {
    std::int64_t first = 0, end = 1;
    queue[0] = farthest = root;
    seen[root] = 1;
    for (std::int64_t level = 0; first < end; ++level) {
      control.check();
      depth = level;
      farthest = *std::min_element(queue.begin() + first, queue.begin() + end);
      const std::int64_t last = end;
      for (; first < last; ++first) end = visit(graph, queue[first], root, end);
    }
  }

 private:
  // Appends to the queue, which ends at `end`; returns its new end.
  std::int64_t visit(const graph::Csr& graph, std::int32_t u, std::int32_t root, std::int64_t end) {
    leaving += graph.indptr[u + 1] - graph.indptr[u];
    if (graph.is_zone(u) && u != root) return end;
    for (std::int64_t arc = graph.indptr[u]; arc < graph.indptr[u + 1]; ++arc) {
      const std::int32_t head = graph.indices[arc];
      if (seen[head]) continue;
      seen[head] = 1;
      queue[end++] = head;
    }
    return end;
  }
};

}  // namespace

Depth depth(const graph::Csr& graph, const Control& control) {
  graph::check_csr(graph);
  Depth found;
  if (graph.n == 0) return found;
  std::int32_t root = 0;
  const auto arcs = [&](std::int32_t v) { return graph.indptr[v + 1] - graph.indptr[v]; };
  for (std::int32_t v = 1; v < graph.n; ++v)
    if (arcs(v) > arcs(root)) root = v;
  for (int search = 0; search < 2; ++search) {
    const Search made(graph, root, control);
    found.arcs = std::max(found.arcs, made.depth);
    const auto all = static_cast<double>(std::max<std::int64_t>(graph.m, 1));
    found.reached = std::min(found.reached, static_cast<double>(made.leaving) / all);
    root = made.farthest;
  }
  return found;
}

}  // namespace apsp::facts
