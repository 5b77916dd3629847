// Distances of single pairs from labels: every vertex keeps its distances to all its ancestors in the
// elimination tree, through vertices that are eliminated before them. A shortest path has its highest vertex
// among the ancestors that both ends have in common: the shortest sum over these is its length. Cohen,
// Halperin, Kaplan and Zwick 2003, "Reachability and distance queries via 2-hop labels"; Ouyang, Qin, Chang,
// Lin, Zhang and Zhu 2018, "When hierarchy meets 2-hop-labeling" (H2H).
//
// A label begins at the root and ends with the vertex itself, so that common ancestors are a common prefix.
// Each begins at a cache line: pairs take the time in which these lines arrive.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "elimination/kernels.hpp"
#include "elimination/rows.hpp"
#include "graph/csr.hpp"
#include "runtime/control.hpp"
#include "runtime/large_pages.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// The elimination tree of single places. That of supernodes has a fifth to two fifths more ancestors.
struct Ancestors {
  Ancestors(const TreeView& tree, const graph::Csr& graph);

  // Bytes of the labels of one direction, in values of `itemsize` bytes.
  std::int64_t bytes(std::int64_t itemsize) const;

  // Of what is stored here.
  std::int64_t bytes() const {
    return static_cast<std::int64_t>(parent.size() * (sizeof(Vertex) + sizeof(std::int32_t)));
  }

  std::vector<Vertex> parent;       // (n); -1 at a root
  std::vector<std::int32_t> depth;  // (n) ancestors, the place itself included
};

constexpr std::int64_t kLabelLine = 64;  // bytes

// How many ancestors two vertices have in common, in constant time. Vertices are numbered in postorder, so
// those between two of them lie below their lowest common ancestor, and one is a child of it: it has the
// parent with the fewest ancestors. Minima of intervals: a table over blocks (Bender and Farach-Colton 2000,
// "The LCA problem revisited"), which is small, and those of both ends up to their blocks, which lie with
// them.
class CommonAncestors {
 public:
  // Throws std::bad_alloc if there are more lines of labels than numbers.
  CommonAncestors(const TreeView& tree, const Ancestors& ancestors, std::int64_t itemsize);

  struct Home {
    std::uint32_t line;    // of the label of the vertex
    Vertex number;         // in postorder
    std::int32_t to_next;  // the fewest ancestors of parents from here to the end of the block
    std::int32_t to_here;  // and from its beginning to here, without this vertex
  };

  const Home& of(Vertex vertex) const { return homes_[static_cast<std::size_t>(vertex)]; }
  std::int64_t common(const Home& a, const Home& b) const {
    if (a.number == b.number) return 1 + above_[static_cast<std::size_t>(a.number)];
    return a.number < b.number ? fewest(a, b) : fewest(b, a);
  }
  std::int64_t bytes() const;

 private:
  static constexpr int kBlock = 32;

  // The fewest ancestors of parents from low on, without high.
  std::int32_t fewest(const Home& low, const Home& high) const {
    const std::uint32_t from = static_cast<std::uint32_t>(low.number) / kBlock + 1,
                        to = static_cast<std::uint32_t>(high.number) / kBlock;
    if (from > to) return *std::min_element(above_.data() + low.number, above_.data() + high.number);
    const std::int32_t ends = std::min(low.to_next, high.to_here);
    if (from == to) return ends;
    const int level = std::bit_width(to - from) - 1;
    const std::int32_t* blocks = least_[static_cast<std::size_t>(level)].data();
    return std::min({ends, blocks[from], blocks[to - (1u << level)]});
  }

  std::vector<Home> homes_;                       // (n) by vertex
  std::vector<std::int32_t> above_;               // (n) by number: ancestors of the parent, 0 at a root
  std::vector<std::vector<std::int32_t>> least_;  // of 1, 2, 4, ... blocks
};

// Where the labels of a tree lie, which does not depend on weights.
struct LabelPlaces {
  LabelPlaces(const TreeView& tree, const graph::Csr& graph, std::int64_t itemsize)
      : ancestors(tree, graph), common(tree, ancestors, itemsize), bytes(ancestors.bytes(itemsize)) {}

  Ancestors ancestors;
  CommonAncestors common;
  std::int64_t bytes;  // of the labels of one direction
};

// The labels of a factor, which the caller keeps alive.
//
// Labels after a change are computed in other memory than those before it, which others may be reading: in
// that of the labels before these, once they are read no more. It lacks what changed since then.
template <class T>
class Labels {
 public:
  struct Memory {
    Memory(std::int64_t bytes, bool mirrored);
    const T* back() const { return apart == nullptr ? onwards.get() : apart.get(); }

    Buffer<T> onwards, apart;  // from each vertex; to each vertex, unless they are the same
  };

  // Memory that is not read, and the places whose labels it lacks, (n).
  struct Spare {
    std::shared_ptr<Memory> memory;
    std::vector<std::uint8_t> lacks;
  };

  // mirrored: see is_mirrored (pair.hpp); then both directions share their labels. Cost: for each row of each
  // column the ancestors of that row. Advances control by one per vertex. Throws std::invalid_argument if the
  // tree is of another graph.
  Labels(const Factored<T>& factored, bool mirrored, Team& team, Control& control);

  // The labels of another factor of the same tree, whose graph has no arcs but those of the graph that
  // `before` began with. spare: what `before` has spared. renewed: the supernodes whose panels may differ;
  // null: any. Computed again are the labels of their columns, and those of columns with a row whose label
  // has changed. keep: the memory of `before` is spared for the next change. The directions are apart if they
  // were before.
  Labels(const Factored<T>& factored, const Labels& before, Spare spare, const std::vector<Vertex>* renewed,
         bool keep, Team& team, Control& control);

  // In public values.
  T distance(Vertex source, Vertex target) const;

  // dist[i] = the distance from sources[i] to targets[i], (count,) each, in public values. Advances control
  // by `count`.
  void fill(const Vertex* sources, const Vertex* targets, std::int64_t count, T* dist, Team& team,
            Control& control) const;

  std::int64_t bytes() const;

  bool mirrored() const { return memory_->apart == nullptr; }

  // Whether labels after a change need no other memory.
  bool has_spare() const { return spare_.memory != nullptr && spare_.memory.use_count() == 1; }

  // What is spared, for labels after a change, which it belongs to from then on; nothing if it is read. One
  // thread at a time may call this, `has_spare` and `bytes`.
  Spare take_spare();

 private:
  static constexpr std::int64_t kOfLine = kLabelLine / sizeof(T);

  // Computes labels from the roots down, columns(node, from, to) at a time: they need those of their rows.
  template <class Columns>
  void for_columns(Team& team, Control& control, const Columns& columns) const;
  void compute(Vertex place, Vertex node, T* labels, bool onwards) const;
  bool follow(Vertex place, Vertex node, const Memory& before, bool again, bool lacking) const;

  T* label(T* labels, Vertex vertex) const { return labels + places_->common.of(vertex).line * kOfLine; }
  const T* label(const T* labels, Vertex vertex) const {
    return labels + places_->common.of(vertex).line * kOfLine;
  }

  Factored<T> factored_;
  const Kernels<T>& kernels_;
  std::shared_ptr<const LabelPlaces> places_;
  std::shared_ptr<Memory> memory_;
  Spare spare_;
};

}  // namespace apsp::elimination
