#include "graph/weak.hpp"

#include <algorithm>
#include <numeric>

namespace apsp::graph {
namespace {

constexpr std::int64_t kVerticesPerCheck = 1 << 16;

std::int32_t root_of(std::vector<std::int32_t>& parent, std::int32_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

}  // namespace

std::int64_t weak(std::int64_t n, const std::int64_t* indptr, const std::int32_t* indices,
                  std::int32_t* labels, const Control& control) {
  std::vector<std::int32_t> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  std::int64_t count = n;
  for (std::int64_t v = 0; v < n && count > 1; ++v) {
    if (v % kVerticesPerCheck == 0) control.check();
    std::int32_t root = root_of(parent, static_cast<std::int32_t>(v));
    for (std::int64_t arc = indptr[v]; arc < indptr[v + 1]; ++arc) {
      if (parent[indices[arc]] == root) continue;
      const std::int32_t other = root_of(parent, indices[arc]);
      if (other == root) continue;
      parent[std::max(root, other)] = std::min(root, other);  // a root is the first vertex of its component
      root = std::min(root, other);
      --count;
    }
  }
  std::int32_t next = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    const std::int32_t root = root_of(parent, static_cast<std::int32_t>(v));
    labels[v] = root == v ? next++ : labels[root];
  }
  return count;
}

Grouped grouped(std::int64_t n, const std::int32_t* group, std::int64_t groups) {
  Grouped found;
  found.first.assign(groups + 1, 0);
  for (std::int64_t v = 0; v < n; ++v) ++found.first[group[v] + 1];
  std::partial_sum(found.first.begin(), found.first.end(), found.first.begin());
  std::vector<std::int64_t> next(found.first.begin(), found.first.end() - 1);
  found.vertices.resize(n);
  for (std::int64_t v = 0; v < n; ++v) found.vertices[next[group[v]]++] = static_cast<std::int32_t>(v);
  return found;
}

Sorted sorted_by(const Csr& graph, const std::int32_t* group, std::int64_t groups, const Control& control) {
  Sorted found{grouped(graph.n, group, groups), {}, {}, {}, {}};
  found.places.resize(graph.n);
  for (std::int64_t place = 0; place < graph.n; ++place)
    found.places[found.vertices[place]] = static_cast<std::int32_t>(place);
  found.indptr.resize(graph.n + 1);
  found.indices.resize(graph.m);
  found.arcs.resize(graph.m);
  std::int64_t end = 0;
  for (std::int64_t place = 0; place < graph.n; ++place) {
    if (place % kVerticesPerCheck == 0) control.check();
    const std::int64_t v = found.vertices[place];
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1]; ++arc, ++end) {
      found.indices[end] = found.places[graph.indices[arc]];
      found.arcs[end] = arc;
    }
    found.indptr[place + 1] = end;
  }
  return found;
}

}  // namespace apsp::graph
