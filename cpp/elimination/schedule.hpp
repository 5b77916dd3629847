// Who eliminates which supernodes: subtrees that one thread processes each, then the levels above them.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/tree.hpp"
#include "runtime/function_ref.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

struct Schedule {
  std::vector<std::vector<Vertex>> subtrees;  // the largest first; children before parents
  std::vector<std::vector<Vertex>> levels;    // the other supernodes; those of a level are independent
};

// For several threads, no subtree has more than the whole work over `parts` per thread.
Schedule schedule_of(const TreeView& tree, int threads, int parts = 8);

// Calls eliminate(s, team, member) for every supernode, children before parents: `team` is that which may
// work on it, and `member` has no other one at that time. A front of `shared` columns and rows or more has
// all threads.
void eliminate_all(const TreeView& tree, std::int64_t shared, Team& team,
                   FunctionRef<void(std::int64_t s, Team& team, int member)> eliminate);

// The places of the rows of a child in the front of its parent s: its columns, then its rows.
std::vector<std::int64_t> rows_in_front(const TreeView& tree, std::int64_t child, std::int64_t s);

// Linked lists of the children of each supernode; -1 ends a list.
struct Children {
  std::vector<Vertex> first, next;  // (nodes)

  explicit Children(const TreeView& tree);
};

// The position of `place` in the front of s: its columns, then its rows. Throws std::invalid_argument if it
// is neither.
std::int64_t place_in_front(const TreeView& tree, std::int64_t s, Vertex place);

// The number of the entry from one place to another in the factor; node: of all places. Throws the same.
std::int64_t entry_of(const TreeView& tree, const std::vector<Vertex>& node, Vertex from, Vertex to);

}  // namespace apsp::elimination
