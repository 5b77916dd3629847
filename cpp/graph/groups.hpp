// The vertices of each part of a graph, such as its components.
#pragma once
#include <cstdint>
#include <numeric>
#include <vector>

namespace apsp::graph {

// Of part c: members[first[c]] .. members[first[c + 1] - 1], in ascending order.
struct Groups {
  std::vector<std::int64_t> first;
  std::vector<std::int32_t> members;

  // labels (n,): the part of each vertex, 0 .. count - 1.
  Groups(const std::int32_t* labels, std::int64_t n, std::int64_t count) : first(count + 1), members(n) {
    for (std::int64_t v = 0; v < n; ++v) ++first[labels[v] + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::int64_t> next(first.begin(), first.end() - 1);
    for (std::int64_t v = 0; v < n; ++v) members[next[labels[v]]++] = static_cast<std::int32_t>(v);
  }
  std::int64_t count() const { return static_cast<std::int64_t>(first.size()) - 1; }
};

}  // namespace apsp::graph
