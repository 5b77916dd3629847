// The part of a tree that some vertices and their ancestors make up, which is all that distances between
// these vertices read. Few vertices of a large graph have few ancestors, whose lines fit into a cache.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "elimination/rows.hpp"
#include "runtime/buffer.hpp"

namespace apsp::elimination {

// A tree of its own: its places are numbered in the order of those of the whole tree, and its vertices as its
// places. It reads the values of the whole factor.
class TreePart {
 public:
  // None if the vertices have more than half of all places as ancestors. Cost: the rows of the ancestors.
  static std::optional<TreePart> of(const TreeView& tree, const Places& places,
                                    std::initializer_list<std::span<const Vertex>> vertices);

  template <class T>
  Factored<T> part_of(const Factored<T>& whole) const {
    return {tree_.view(), whole.values, whole.arcs, whole.zones, whole.nonnegative};
  }

  // The numbers of vertices in the part; each of them is one that it was made of.
  std::vector<Vertex> numbers(std::span<const Vertex> vertices) const;

 private:
  TreePart(const TreeView& tree, const Places& places, const std::vector<Vertex>& nodes);

  const TreeView* whole_;
  const Places* places_;
  Tree tree_;
  Buffer<Vertex> number_;  // of each supernode of the whole tree that has one
};

}  // namespace apsp::elimination
