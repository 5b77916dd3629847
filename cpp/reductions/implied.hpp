// Eccentricities that follow from those of other vertices, by the shape of a graph: each is exact.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/csr.hpp"

namespace apsp::reductions {

// Twins: vertices with the same arcs out (and in, of a directed graph: `into`), of the same weights. Or, in
// hops, with the same arcs but those between them, which both have. To exchange two of them changes nothing
// else, so that all of a class have one eccentricity. Returns (n) the first vertex of the class of each.
// Weights are compared by their bytes; nullptr: hops. `into` is the graph itself if it is undirected.
std::vector<std::int32_t> twins(const graph::Csr& graph, const std::uint8_t* weights, const graph::Csr& into,
                                const std::uint8_t* into_weights, std::int64_t weight_bytes);

// A vertex has a single arc if only one leads out of it, besides a loop. From there the way is given as long
// as vertices have single arcs: it ends at an anchor, which has several or none, or where it meets itself.
struct SingleArcs {
  std::vector<std::int64_t> arc;      // (n,) the single arc, or -1
  std::vector<std::int32_t> anchor;   // (n,) where the way of each vertex leads; an anchor leads to itself
  std::vector<std::int32_t> members;  // (n,) the vertices whose way leads to this anchor, besides itself
};
SingleArcs single_arcs(const graph::Csr& graph);

// The same for an undirected graph, as if its leaves were taken away again and again: what is taken away are
// trees, and the single arc of a vertex leads to the rest of the graph, to an anchor that stays (of a tree,
// its last vertex).
SingleArcs pendant_arcs(const graph::Csr& graph);

// The eccentricities of all vertices whose ways lead to an anchor u, from the distances out (n) from it. If c
// is one of them, at distance D from u, then d(c, t) = D + d(u, t) for every t that is not on the way, and no
// vertex on the way is farther than D: ecc(c) = D + the largest d(u, t) over the others, or D if there are
// none. It reaches what u reaches, and of its way what u does not reach. lengths (m), or nullptr: every arc
// counts 1. None if that takes more than some steps per vertex.
template <class T>
struct Settled {
  std::vector<std::int32_t> vertices;
  std::vector<T> eccentricities;
  std::vector<std::int64_t> reached;  // vertices, each itself included
};
//
// The arcs of an undirected graph are those of trees: ecc(c) is the largest of the distances to vertices
// below c, to others of the tree, and to those outside, D + the largest d(u, t).
template <class T>
std::optional<Settled<T>> settle_single(const graph::Csr& graph, const T* lengths, const SingleArcs& single,
                                        std::int32_t anchor, const T* out, bool is_directed);

// Paths of an undirected graph whose inner vertices have two neighbours each, of at least `fewest` inner
// vertices.
struct Chains {
  std::vector<std::int64_t> first;     // (K + 1,)
  std::vector<std::int32_t> vertices;  // the inner vertices of each, in order
  std::vector<std::int32_t> ends;      // (2 K,) the two ends of each; the same vertex of a ring
};
Chains chains(const graph::Csr& graph, std::int64_t fewest);

// The eccentricities of the inner vertices of a chain, from the distances from_first and from_last (n) from
// its ends. A path from an inner vertex to one outside passes one of the ends; between inner vertices it is a
// part of the chain, or passes both.
template <class T>
void settle_chain(const graph::Csr& graph, const T* lengths, const std::int32_t* inner, std::int64_t count,
                  std::int32_t first, std::int32_t last, const T* from_first, const T* from_last,
                  T* eccentricities);

}  // namespace apsp::reductions
