// Weakly connected components, and a graph whose vertices are sorted by them.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::graph {

// labels (n): the component of each vertex if the directions of arcs are ignored, in the order of their first
// vertices. Returns the number of components. Union-find with path halving: Tarjan, van Leeuwen 1984,
// "Worst-case analysis of set union algorithms". It ends when one component is left, so that a connected
// graph costs a part of its arcs.
std::int64_t weak(std::int64_t n, const std::int64_t* indptr, const std::int32_t* indices,
                  std::int32_t* labels, const Control& control);

// Vertices in the order of groups, and within a group in their own.
struct Grouped {
  std::vector<std::int64_t> first;     // (groups + 1,) where each group begins
  std::vector<std::int32_t> vertices;  // (n,)
};

// group (n): numbers in [0, groups).
Grouped grouped(std::int64_t n, const std::int32_t* group, std::int64_t groups);

// The same graph with its vertices in this order.
struct Sorted : Grouped {
  std::vector<std::int32_t> places;   // (n,) the new number of each old vertex
  std::vector<std::int64_t> indptr;   // (n + 1,)
  std::vector<std::int32_t> indices;  // (m,) new numbers
  std::vector<std::int64_t> arcs;     // (m,) the old position of each arc
};

// O(n + m).
Sorted sorted_by(const Csr& graph, const std::int32_t* group, std::int64_t groups, const Control& control);

}  // namespace apsp::graph
