// The k shortest simple paths of pairs: Yen 1971, "Finding the k shortest loopless paths in a network";
// Lawler 1972, "A procedure for computing the k best solutions to discrete optimization problems", for the
// partition of the paths; Kurz and Mutzel 2016, "A sidetrack-based algorithm for finding the k shortest
// simple paths in a directed graph", and Feng 2014, "Finding k shortest simple paths in directed graphs: a
// node classification algorithm", for bounds in place of searches.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "paths/paths_of_pairs.hpp"
#include "runtime/control.hpp"

namespace apsp::simple_paths {

template <class T>
struct LabelOf {
  using type = std::int64_t;
};
template <>
struct LabelOf<double> {
  using type = double;
};

// The type of lengths of paths with weights T.
template <class T>
using Label = typename LabelOf<T>::type;

// The i-th pair: a source, a target, and the row of distances to this target.
template <class T>
struct Pairs {
  std::int64_t count = 0;
  const std::int32_t* sources = nullptr;  // (count,)
  const std::int32_t* targets = nullptr;  // (count,)
  const std::int32_t* rows = nullptr;     // (count,)
  const T* dist = nullptr;                // dist[rows[i] * stride + v]: from v to targets[i]
  std::int64_t stride = 0;
};

template <class T>
struct Found : paths::PathsOfPairs {
  std::vector<Label<T>> lengths;  // of each path
};

// For every pair up to k paths without repeated vertices, ascending by length. Those of equal length are
// ascending by their vertices. A length is the sum of the weights in the order of the path.
//
// Weights are not negative, and at most one arc leads from a vertex to another. The sum of two lengths fits
// Label<T>. Integer distances are exact; floats are within n rounding errors of a sum. Control advances by
// the pairs. Memory: about 40 n bytes per thread.
template <class T>
Found<T> shortest(const graph::Csr& graph, const T* weights, const Pairs<T>& pairs, std::int64_t k,
                  int threads, Control& control);

}  // namespace apsp::simple_paths
