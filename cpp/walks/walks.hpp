// The k shortest walks of pairs, which may visit vertices several times: Eppstein 1998, "Finding the k
// shortest paths", for walks as deviations from a tree of shortest paths; Martins, Pascoal and Santos 1999,
// "Deviation algorithms for ranking shortest paths", for the order in which deviations are looked at.
#pragma once
#include <cstdint>

#include "graph/csr.hpp"
#include "runtime/control.hpp"
#include "simple_paths/simple_paths.hpp"

namespace apsp::walks {

// For every pair up to k walks, ascending by length; those of equal length are ascending by their vertices.
// The walk from a vertex to itself without an arc is one. A length is the sum of the weights in the order of
// the walk.
//
// Weights are not negative, and at most one arc leads from a vertex to another. The sum of two distances fits
// Label<T>. Integer distances are exact; floats are within n rounding errors of a sum. Throws
// std::overflow_error if one of the k walks may be longer than 2^61, and std::bad_alloc if there are more
// than `most_bytes`. Control advances by the pairs. Memory: about 20 n bytes per thread, of floats 24 n, and
// per walk 60 bytes and its vertices.
template <class T>
simple_paths::Found<T> shortest(const graph::Csr& graph, const T* weights,
                                const simple_paths::Pairs<T>& pairs, std::int64_t k, std::int64_t most_bytes,
                                int threads, Control& control);

}  // namespace apsp::walks
