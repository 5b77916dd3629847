// Arcs of length zero lead to vertices at the same distance: paths are counted in an order in which such arcs
// lead forward, if there is one. Where they lead both ways along the edges of a tree (connectors of zones), a
// path has one way from each vertex of the tree to each other one, if it passes no vertex twice.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::flows {

class ZeroArcs {
 public:
  template <class T>
  ZeroArcs(const graph::Csr& graph, const T* weights, const Control& control);

  bool any() const noexcept { return !ranks_.empty(); }
  // If there are any, by original numbers: an arc of length zero leads to a higher rank, except within trees
  // and on other cycles, whose vertices have one rank.
  std::int32_t rank(std::int64_t v) const noexcept { return ranks_[v]; }
  bool on_cycle(std::int64_t v) const noexcept { return kinds_[v] == Kind::kCycle; }
  bool in_tree(std::int64_t v) const noexcept { return kinds_[v] == Kind::kTree; }
  // In a tree: the vertex before, -1 at its root, and a number that is larger than that of the vertex before.
  std::int32_t parent(std::int64_t v) const noexcept { return parents_[v]; }
  std::int32_t place(std::int64_t v) const noexcept { return places_[v]; }

 private:
  enum class Kind : std::uint8_t { kNone, kTree, kCycle };

  // sizes: of the components, by rank. A strong component of k vertices is a tree if its arcs are k - 1
  // pairs.
  void find_trees(std::int64_t n, const std::vector<std::int64_t>& start,
                  const std::vector<std::int32_t>& heads, const std::vector<std::int32_t>& sizes);

  std::vector<std::int32_t> ranks_, parents_, places_;
  std::vector<Kind> kinds_;
};

}  // namespace apsp::flows
