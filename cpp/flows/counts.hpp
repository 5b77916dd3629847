// Numbers of shortest paths of pairs, and the arcs of the shortest paths from a source: what flows.hpp
// divides a demand by.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "flows/flows.hpp"
#include "graph/csr.hpp"
#include "runtime/control.hpp"

namespace apsp::flows {

// The pairs, and where their numbers of paths are written: 0 where there is no path within the cutoff.
// Number: double, exact up to 2^53, or std::uint64_t, exact modulo 2^64.
template <class Number>
struct Counts {
  const std::int32_t* sources = nullptr;  // (count,)
  std::int64_t count = 0;
  const std::int32_t* targets = nullptr;  // (columns,) or nullptr: all vertices
  std::int64_t columns = 0;
  Number* paths = nullptr;  // (count, columns)
  std::int64_t stride = 0;

  std::int64_t target(std::int64_t column) const { return targets != nullptr ? targets[column] : column; }
};

// As flows_by_hops and flows_by_length; only numbers of the pairs may throw TooManyPaths or ZeroCycle, and
// only if they are double.
void counts_by_hops(const graph::Csr& graph, std::int64_t cutoff, const Counts<double>& counts, int threads,
                    Control& control);
template <class T, class Number>
void counts_by_length(const graph::Csr& graph, const T* weights, const std::int64_t* heights, T cutoff,
                      const Counts<Number>& counts, int threads, Control& control);

// The last vertices before each vertex on the shortest paths from a source, as CSR by vertex: n + 1 starts,
// and vertices in ascending order. Reduced weights are not below zero; the cutoff is one of their sums.
using Predecessors = std::pair<std::vector<std::int64_t>, std::vector<std::int32_t>>;
template <class T>
Predecessors tied_predecessors(const graph::Csr& graph, const T* weights, std::int32_t source, T cutoff,
                               const Control& control);

}  // namespace apsp::flows
