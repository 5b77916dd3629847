// Flows of a demand along shortest paths: the demand from a source to a target is divided equally among all
// shortest paths between them, or follows one of them. Brandes 2001, "A faster algorithm for betweenness
// centrality": one pass over the arcs of shortest paths in the order of distance counts paths, and one in the
// reverse order adds up what passes every vertex and arc. A demand of 1 between all pairs gives betweenness.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/rows.hpp"
#include "flows/counted_arcs.hpp"
#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::flows {

// Demand from the sources: the same to a target from every source (`to`), or a row per source. Demand of a
// source to itself is ignored.
struct Demand {
  const std::int32_t* sources = nullptr;  // (count,)
  std::int64_t count = 0;
  const double* to = nullptr;             // (n,) or nullptr: rows
  const std::int64_t* start = nullptr;    // (count + 1,)
  const std::int32_t* targets = nullptr;  // (start[count],), different ones in a row
  const double* values = nullptr;         // the same
};

// What is written. Flows are added up batch by batch in the order of the batches, with compensation, so they
// do not depend on the number of threads.
struct Flows {
  double* through = nullptr;  // (n,) flow that passes a vertex, without what begins or ends there
  double* arrived = nullptr;  // (n,) flow that ends at a vertex
  double* served = nullptr;   // (count,) flow that begins at each source
  double* along = nullptr;    // (m,) flow along each arc, or nullptr
};

enum class Ties { kSplit, kFirst };

// Throws TooManyPaths if a number of shortest paths is beyond float64.
struct TooManyPaths {
  std::int32_t source;
};

// Throws ZeroCycle if a source reaches a cycle of length zero, unless its arcs lead there and back along a
// tree.
struct ZeroCycle {
  std::int32_t vertex;
};

// Throws LostLength if the length of this arc is lost when it is added to the distance of its tail, so that
// shortest paths lead along it to a vertex that comes before its tail.
struct LostLength {
  std::int32_t tail, head;
};

// Every arc has length 1; pairs further apart than `cutoff` arcs have no flow.
void flows_by_hops(const graph::Csr& graph, const Demand& demand, std::int64_t cutoff, const Flows& flows,
                   int threads, Control& control);

// T: std::int32_t, std::int64_t or double; weights are not negative. Two paths are equally short if their
// lengths, summed up from the source in T, are equal. heights (n,): potentials, with which the weights were
// reduced, or nullptr; the cutoff is one of distances without potentials. Advances control by one per source.
// Ties::kFirst: all demand follows one path, on which every vertex comes from the smallest possible
// predecessor (on cycles of length zero: the smallest of those that the search settled earlier).
template <class T>
void flows_by_length(const graph::Csr& graph, const T* weights, const std::int64_t* heights,
                     const Demand& demand, T cutoff, Ties ties, const Flows& flows, int threads,
                     Control& control);

// The same by elimination, demand divided equally. weights: above zero, exact in float64 with the sums of all
// paths; no zones. Returns false if numbers of paths are near the end of float64: the flows are then not
// complete. Flows are added up by blocks of sources that do not depend on the number of threads.
bool flows_by_elimination(const elimination::TreeView& tree, const graph::Csr& graph, const double* weights,
                          const Demand& demand, double cutoff, const Flows& flows, int threads,
                          Control& control);

// The same from counted arcs, which are those of this tree, graph and weights.
bool flows_by_elimination(const elimination::TreeView& tree, const graph::Csr& graph, const double* weights,
                          const std::vector<std::int32_t>& place, const CountedArcs& arcs,
                          const Demand& demand, double cutoff, const Flows& flows, Team& team,
                          Control& control);

// The same with Ties::kFirst. T: std::int32_t or std::int64_t; weights: above zero, those of the factor.
template <class T>
void first_by_elimination(const elimination::Factored<T>& factored, const graph::Csr& graph, const T* weights,
                          const Demand& demand, T cutoff, const Flows& flows, int threads, Control& control);

}  // namespace apsp::flows
