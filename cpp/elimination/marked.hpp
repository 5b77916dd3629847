// Some supernodes and those that they reach upwards, children before parents, on a team of threads: subtrees
// that one thread processes each, then the levels above them.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/tree.hpp"
#include "runtime/function_ref.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// Which subtree or level a supernode belongs to, for some number of threads.
class Shares {
 public:
  // Computed where the number of threads changes.
  const Shares& of(const TreeView& tree, int threads);

  std::int64_t nodes() const { return std::ssize(share_); }
  std::int64_t subtrees() const { return subtrees_; }
  std::int64_t levels() const { return levels_; }
  // Of a supernode: the number of its subtree; below 0, the level -1 - number, of which the first is deepest.
  Vertex operator[](Vertex s) const { return share_[s]; }

 private:
  int threads_ = 0;
  std::int64_t subtrees_ = 0, levels_ = 0;
  std::vector<Vertex> share_;
};

class Marked {
 public:
  explicit Marked(const Shares& shares);

  void mark(Vertex s);

  // Calls up(s, member) for marked supernodes, children before parents, and marks the parent if it is true.
  void for_each(const TreeView& tree, Team& team, FunctionRef<bool(Vertex s, int member)> up);

  // All that are marked, ascending.
  std::vector<Vertex> all() const;

 private:
  void subtree(const TreeView& tree, std::vector<Vertex>& marked, Vertex share, int member,
               FunctionRef<bool(Vertex, int)> up);

  const Shares& shares_;
  std::vector<char> is_marked_;
  std::vector<std::vector<Vertex>> of_subtrees_, of_levels_;
  std::vector<Vertex> above_;  // of each subtree: the supernode above it, if it is to be marked; -1
};

}  // namespace apsp::elimination
