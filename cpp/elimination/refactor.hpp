// The factor of a graph whose weights change: a supernode is eliminated again if the weight of one of its
// arcs has changed, or what a child hands up (Dibbelt, Strasser and Wagner 2016, "Customizable contraction
// hierarchies", partial customisation, on supernodes; multifrontal, as Duff and Reid 1983).
//
// What every supernode hands up, the paths between its rows, is kept. So its front is that of its arcs and
// its children, and the work ends where what is handed up stays the same. An arc that is closed has no path.
#pragma once
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "elimination/changed_front.hpp"
#include "elimination/front.hpp"
#include "elimination/marked.hpp"
#include "elimination/schedule.hpp"
#include "elimination/tree.hpp"
#include "graph/csr.hpp"
#include "graph/weighted_arcs.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// Where arcs and children belong in the fronts of a tree, which does not depend on weights. O(arcs + rows) to
// build and to hold. Arcs that leave zones are left out.
struct Assembly {
  struct Arc {
    std::int64_t number, entry;  // of the arc, and of its entry in the panel of its supernode
  };
  TreeView tree;
  graph::Csr graph;
  std::vector<Vertex> node_of;           // (m) the supernode of each arc; -1 if it is left out
  std::vector<std::int64_t> first;       // (nodes + 1)
  std::vector<Arc> arcs;                 // of supernode s: first[s] .. first[s + 1] - 1
  std::vector<std::int64_t> rest_start;  // (nodes + 1) of the paths between the rows of s, (r, r)
  std::vector<Vertex> in_front;          // of each row: its place in the front of the parent (rows_in_front)
  Children children;

  // The caller keeps the arrays alive. Throws std::invalid_argument if they do not fit each other.
  Assembly(const TreeView& tree, const graph::Csr& graph);
};

// The weights of the arcs of an assembly, and what its supernodes hand up; none may be negative.
//
// Of integers, only those entries of a front that depend on a change are computed again (changed_front.hpp).
template <class T>
class Changes {
 public:
  // The caller keeps the assembly alive. All arcs are closed.
  explicit Changes(const Assembly& assembly);

  // Takes the weights of a graph of the same vertices; arcs that it does not have are closed. Returns how
  // many arcs have changed, of which `most` are remembered for `some`; -1, and nothing changes, if it has
  // others. Throws std::invalid_argument if T cannot hold a weight.
  std::int64_t take(const graph::WeightedArcs& arcs, std::int64_t most);

  // Takes the weights of some arcs, and closes others, whose numbers are known to exist. Returns how many
  // have changed.
  std::int64_t take_some(std::span<const std::int64_t> numbers, const graph::WeightedArcs& weights,
                         std::span<const std::int64_t> closed);

  // Writes the values of factorise.
  void all(T* values, Team& team, Control& control);

  // The same if `values` are those before the weights that were taken last, whose changes are all remembered.
  // Returns the supernodes of which values have changed, in their order. If more than `most` pairs of values
  // would be added, `complete` becomes false, and `all` has to follow.
  std::vector<Vertex> some(double most, T* values, int threads, Control& control, bool& complete);

 private:
  struct Old {
    std::int64_t arc;
    T weight;
  };

  // What one member of a team works with.
  struct Member {
    ChangedFront<T> front;
    std::vector<Vertex> place;  // of the rows of a child, in it; -1
    std::vector<Replaced<T>> steps;
    std::vector<T> panel, rest;
  };
  // What became of a front.
  struct Outcome {
    bool differs = false, handed_up = false;
  };

  void change(std::int64_t arc, T weight);
  void eliminate(std::int64_t s, T* panel, T* rest, Team& team, Control& control);
  Replaced<T> replaced(const Old& old) const;
  void gather(std::int64_t s, std::vector<Replaced<T>>& steps);
  void lower_open(std::int64_t s, Member& member);
  void lower_to_rest(Vertex child, Member& member);
  Outcome renew(std::int64_t s, double most, std::atomic<double>& work, T* values, Member& member,
                Control& control);
  void compare(std::int64_t s, std::int64_t place, const T* panel, const T* rest, const Front<T>& now,
               Outcome& outcome);

  const Assembly& assembly_;
  std::vector<T> weights_, rests_;
  std::vector<Old> old_;  // of the arcs that have changed
  // Of `some`: what has changed in the front of each supernode by its arcs, and what it has handed up.
  std::vector<std::vector<Replaced<T>>> by_arcs_, handed_up_;
  std::vector<Vertex> touched_;  // which of these are not empty
  Shares shares_;
  std::vector<Member> members_;
};

}  // namespace apsp::elimination
