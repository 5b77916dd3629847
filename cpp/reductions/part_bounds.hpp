// What the order of the strongly connected components proves of eccentricities and of the number of vertices
// that are reached: passes over the arcs, sinks first, whatever the depth of the graph of components.
// Borassi, Crescenzi, Habib, Kosters, Marino, Takes 2015, "Fast diameter and radius BFS-based computation in
// (weakly connected) real-world graphs", section 4.3.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"

namespace apsp::reductions {

// The components ("parts") of a graph. One is apart, the largest; the numbers of the others are in reverse
// topological order: an arc between two others leads to a lower number.
struct Parts {
  graph::Csr graph;
  std::int64_t count, largest;
  const std::int32_t* part;      // (n,)
  const std::int64_t* first;     // (count + 1,) where each part begins in `vertices`
  const std::int32_t* vertices;  // (n,)
};

// Parts in preorder of a forest: those below a part are the `size` ones from its place on, itself included.
struct Preorder {
  std::vector<std::int64_t> place, size;  // (count,)

  bool is_below(std::int32_t part, std::int32_t other) const {
    return place[part] >= place[other] && place[part] < place[other] + size[other];
  }
};

// The leading arc of a part leads to another from which all is reached that the part reaches beyond itself:
// the heads of its other arcs are below that one in a forest in which the parent of a part is the last one
// before it of those with an arc to it. Some such arcs are not found, those of the largest part among them.
struct Leading {
  std::vector<std::int64_t> arc;  // (count,) or -1
  Preorder followers;  // of the forest in which the parent of a part is the one to which its arc leads
};
Leading leading_arcs(const Parts& parts);

// Lowers upper bounds on the eccentricities of vertices outside the largest part. A path from a part goes
// through it and ends there, or goes on from the head of an arc that leaves it: into the largest part of any
// arc, since all its vertices reach the same, into others of each. If an arc goes from u to j, and leading
// arcs do so through some parts between, then all that u reaches is in these parts, or reached from j
// (leading: nullptr without them). inner (count): bounds on a path within each part. lengths (m), or nullptr:
// every arc counts 1.
template <class T>
void bound_parts(const Parts& parts, const Leading* leading, const T* lengths, const T* inner, T* upper);

// Raises lower bounds by a search from a vertex r, out (n): if v reaches t, d(v, t) >= d(r, t) - d(r, v). Of
// all t that v reaches, the one farthest from r counts. of_largest: the largest out[t] over the vertices that
// the largest part reaches.
template <class T>
void bound_by_potential(const Parts& parts, const T* out, T of_largest, T* lower);

// reach (count): upper bounds on the number of vertices that each part reaches, and known (count) whether
// they are exact, which they are if all arcs out of a part lead to one part for which they are. Those of the
// largest part are given. before, after (count): parts that reach the largest one, or are reached from it.
void bound_reach(const Parts& parts, const std::uint8_t* before, const std::uint8_t* after, double* reach,
                 std::uint8_t* known);

}  // namespace apsp::reductions
