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

// The labels of a factor, which the caller keeps alive.
template <class T>
class Labels {
 public:
  // mirrored: see is_mirrored (pair.hpp); then both directions share their labels. Cost: for each row of each
  // column the ancestors of that row. Advances control by one per vertex. Throws std::invalid_argument if the
  // tree is of another graph.
  Labels(const Factored<T>& factored, bool mirrored, Team& team, Control& control);

  // In public values.
  T distance(Vertex source, Vertex target) const;

  // dist[i] = the distance from sources[i] to targets[i], (count,) each, in public values. Advances control
  // by `count`.
  void fill(const Vertex* sources, const Vertex* targets, std::int64_t count, T* dist, Team& team,
            Control& control) const;

  std::int64_t bytes() const { return ancestors_.bytes() + bytes_ * (apart_ == nullptr ? 1 : 2); }

 private:
  static constexpr std::int64_t kOfLine = kLabelLine / sizeof(T);

  Labels(const Factored<T>& factored, const Ancestors& ancestors, bool mirrored, Team& team,
         Control& control);
  void compute(const Ancestors& ancestors, Team& team, Control& control);
  void compute(Vertex place, Vertex node, const Ancestors& ancestors, T* labels, bool onwards) const;

  T* label(T* labels, Vertex vertex) const { return labels + ancestors_.of(vertex).line * kOfLine; }

  Factored<T> factored_;
  const Kernels<T>& kernels_;
  CommonAncestors ancestors_;
  std::int64_t bytes_;         // of one direction
  Buffer<T> onwards_, apart_;  // from each vertex; to each vertex, unless they are the same
  const T* back_;
};

}  // namespace apsp::elimination
