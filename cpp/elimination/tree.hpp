// Symbolic elimination: which entries the factor has, as a tree of supernodes. A supernode is a run of
// vertices (its columns) that are eliminated together, and their later neighbours at that point (its rows):
// all of these are on the path to the root. Liu 1990, "The role of elimination trees in sparse
// factorization"; Ashcraft and Grimes 1989 (relaxed supernodes).
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/neighbours.hpp"
#include "runtime/control.hpp"

namespace apsp::elimination {

// A tree in borrowed arrays.
struct TreeView {
  std::int64_t n = 0, nodes = 0;
  const Vertex* order = nullptr;              // (n) the vertex at each place; children come before parents
  const Vertex* first = nullptr;              // (nodes + 1) columns of s: first[s] .. first[s + 1] - 1
  const Vertex* parent = nullptr;             // (nodes) the supernode of the first row; -1 at a root
  const std::int64_t* row_start = nullptr;    // (nodes + 1)
  const Vertex* rows = nullptr;               // places, ascending, all after the columns of the supernode
  const std::int64_t* panel_start = nullptr;  // (nodes + 1) of the values of s in the factor: see factor.hpp

  std::int64_t columns(std::int64_t s) const { return first[s + 1] - first[s]; }
  std::int64_t row_count(std::int64_t s) const { return row_start[s + 1] - row_start[s]; }
  const Vertex* rows_of(std::int64_t s) const { return rows + row_start[s]; }
  std::int64_t entries() const { return panel_start[nodes]; }
};

// Throws std::invalid_argument unless every index in the arrays is in range and parents are consistent with
// rows; `rows` has row_count entries.
void check_tree(const TreeView& tree, std::int64_t row_count);

// (n) the place of each vertex; (n) the supernode of each place.
std::vector<Vertex> places_of(const TreeView& tree);
std::vector<Vertex> nodes_of(const TreeView& tree);

// Both.
struct Places {
  explicit Places(const TreeView& tree) : place(places_of(tree)), node(nodes_of(tree)) {}
  std::vector<Vertex> place, node;
};

// The elimination tree of single places, by Liu's algorithm: parent[j] is the first later neighbour of j when
// it is eliminated, -1 at a root. `place` is the inverse of `order`.
std::vector<Vertex> parents_of(const Neighbours& graph, const std::vector<Vertex>& order,
                               const std::vector<Vertex>& place);

// The places with children before parents, every subtree in one run. parent[i] > i, or -1.
std::vector<Vertex> postorder(const std::vector<Vertex>& parent);

struct Tree {
  std::vector<Vertex> order, first, parent, rows;
  std::vector<std::int64_t> row_start, panel_start;

  TreeView view() const {
    return {static_cast<std::int64_t>(order.size()),
            static_cast<std::int64_t>(parent.size()),
            order.data(),
            first.data(),
            parent.data(),
            row_start.data(),
            rows.data(),
            panel_start.data()};
  }
};

// The size of the factor, and the work for it.
struct Fill {
  std::int64_t entries = 0;  // values of the factor
  double pairs = 0;          // (add, min) pairs to compute them
  double row_pairs = 0;      // and then for one row of all distances
};
Fill fill_of(const TreeView& tree);

// The tree for elimination in `order`, which it may change to another order with the same factor. O(n + m +
// rows of all columns). If the factor would have more than `most` entries, returns a tree without supernodes.
Tree eliminate(const Neighbours& graph, std::vector<Vertex> order, std::int64_t most, const Control& control);

// Merges supernodes into their parents if all rows of distances are cheaper with the larger panels.
struct Supernodes {
  std::vector<Vertex> first;             // (s + 1)
  std::vector<std::int64_t> begin, end;  // (s) of the rows of its last column
  std::vector<Vertex> rows;              // ascending in each supernode

  std::size_t count() const noexcept { return begin.size(); }
  std::int64_t row_count(std::size_t s) const noexcept { return end[s] - begin[s]; }
};
Tree relaxed(Supernodes supernodes, const std::vector<Vertex>& order);

}  // namespace apsp::elimination
