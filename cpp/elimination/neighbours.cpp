#include "elimination/neighbours.hpp"

#include <algorithm>

namespace apsp::elimination {
namespace {

template <class Body>
void for_arcs(const graph::Csr& graph, const Body& body) {
  for (std::int64_t tail = 0; tail < graph.n; ++tail) {
    if (graph.is_zone(tail)) continue;
    for (std::int64_t arc = graph.indptr[tail]; arc < graph.indptr[tail + 1]; ++arc)
      if (graph.indices[arc] != tail) body(static_cast<Vertex>(tail), graph.indices[arc]);
  }
}

// Whether every row has ascending heads, and every arc has one in the other direction: then these are the
// rows of neighbours.
bool is_symmetric(const graph::Csr& graph) {
  std::vector<std::int64_t> next(graph.indptr,
                                 graph.indptr + graph.n);  // in each row, the next arc to find
  for (std::int64_t tail = 0; tail < graph.n; ++tail) {
    if (graph.is_zone(tail)) return false;
    for (std::int64_t arc = graph.indptr[tail]; arc < graph.indptr[tail + 1]; ++arc) {
      const Vertex head = graph.indices[arc];
      if (arc > graph.indptr[tail] && graph.indices[arc - 1] >= head) return false;
      if (head == tail || next[head] == graph.indptr[head + 1] || graph.indices[next[head]++] != tail)
        return false;
    }
  }
  return true;
}

}  // namespace

Neighbours neighbours_of(const graph::Csr& graph) {
  Neighbours found;
  found.n = graph.n;
  if (is_symmetric(graph)) {
    found.start.assign(graph.indptr, graph.indptr + graph.n + 1);
    found.other.assign(graph.indices, graph.indices + graph.indptr[graph.n]);
    return found;
  }
  found.start.assign(graph.n + 2, 0);
  for_arcs(graph, [&](Vertex tail, Vertex head) {
    ++found.start[tail + 2];
    ++found.start[head + 2];
  });
  for (std::int64_t v = 2; v <= graph.n + 1; ++v) found.start[v] += found.start[v - 1];
  found.other.resize(static_cast<std::size_t>(found.start[graph.n + 1]));
  for_arcs(graph, [&](Vertex tail, Vertex head) {
    found.other[found.start[tail + 1]++] = head;
    found.other[found.start[head + 1]++] = tail;
  });
  found.start.pop_back();
  std::int64_t to = 0, from = 0;
  for (std::int64_t v = 0; v < graph.n; ++v) {
    const auto first = found.other.begin() + from, last = found.other.begin() + found.start[v + 1];
    from = found.start[v + 1];
    std::sort(first, last);
    const auto end = std::unique(first, last);
    found.start[v] = to;
    to = std::copy(first, end, found.other.begin() + to) - found.other.begin();
  }
  found.start[graph.n] = to;
  found.other.resize(static_cast<std::size_t>(to));
  return found;
}

}  // namespace apsp::elimination
