// The condensation of a graph, the acyclic graph of its strongly connected components, and the closure of
// some of the columns of an acyclic graph (Purdom 1970, section 3). The columns of a bit matrix are closed
// independently of each other, so that threads and processes share them without messages.
#pragma once
#include <cstdint>
#include <vector>

#include "closure/closure.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::closure {

// Arcs by rows, as in a Digraph that owns them.
struct Arcs {
  std::vector<std::int64_t> indptr;
  std::vector<std::int32_t> indices;
};

// The arcs between components, each once and in ascending order; labels (n) and count as graph::strong
// returns them: every arc leads to a lower component. Cost: O(n + m).
Arcs condensation(const Digraph& graph, const std::int32_t* labels, std::int64_t count,
                  const Control& control);

// reached (n): whether a vertex reaches each, itself included. O(n + m).
std::vector<std::uint8_t> reached_from(const Digraph& graph, std::int64_t vertex, const Control& control);

// The number of pairs (u, v) of members of components with a path, of the arcs that `condensation` returns:
// if they form a forest, in which either one arc at most leads out of each component, or one at most leads
// into each, so that what its successors reach are different components. -1 if they do not. sizes (n):
// members of each. O(n + m).
std::int64_t count_in_forest(const Digraph& arcs, const std::int64_t* sizes);

// bits.row(i) |= the rows of the heads of i, for i = first .. last - 1 in this order. If every head is lower
// than its tail and all rows before `first` are closed, so are these afterwards. Cost: bits.words() per arc,
// divided among the threads by columns.
void join_heads(BitMatrix bits, const Digraph& graph, std::int64_t first, std::int64_t last, Team& team,
                const Control& control);

}  // namespace apsp::closure
