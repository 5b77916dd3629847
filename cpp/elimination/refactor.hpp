// The factor after a few weights have changed: only entries that depend on them are computed again, as in the
// partial customisation of Dibbelt, Strasser and Wagner 2016, "Customizable contraction hierarchies", on
// supernodes.
//
// An entry of an assembled panel (factor.hpp) is the least of its arc and, for each supernode below that has
// both of its ends among its rows, of the paths through the columns of that supernode. A panel is closed
// again if an entry of its assembled form has changed; the paths through it that changed then decide which
// entries above may change.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/tree.hpp"
#include "graph/weighted_arcs.hpp"
#include "runtime/control.hpp"

namespace apsp::elimination {

// Where each place of a tree occurs among the rows of supernodes. O(rows) to build and to hold.
struct Occurrences {
  struct Row {
    Vertex node, number;  // a supernode, and the number of its row
  };
  std::vector<Vertex> place, node;  // (n) of vertices; (n) of places
  std::vector<std::int64_t> begin;  // (n + 1)
  std::vector<Row> rows;            // of place p: begin[p] .. begin[p + 1] - 1, by ascending supernodes

  explicit Occurrences(const TreeView& tree);
};

struct Arc {
  Vertex tail, head;
};

// The values of factorise for new weights, which differ from those of `assembled` and `values`
// (tree.entries()) only for the arcs `changed`; both arrays are updated. Returns -1, or a place on a negative
// cycle, or kTooMany if more than `most` pairs of values would be added; the arrays are of no use then.
constexpr std::int64_t kTooMany = -2;
template <class T>
std::int64_t refactorise(const TreeView& tree, const Occurrences& where, const graph::WeightedArcs& arcs,
                         const bool* zones, bool nonnegative, const std::vector<Arc>& changed, double most,
                         T* assembled, T* values, Control& control);

}  // namespace apsp::elimination
