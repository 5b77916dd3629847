// All paths of pairs that no other path beats in two costs: Hernández Ulloa, Yeoh, Baier, Zhang, Suazo and
// Koenig 2020, "A simple and fast bi-objective search algorithm" (BOA*).
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "paths/paths_of_pairs.hpp"
#include "runtime/control.hpp"

namespace apsp::pareto {

// Arcs with two costs of at least 0; several may join the same two vertices.
template <class A, class B>
struct Arcs {
  graph::Csr csr;
  const A* first = nullptr;   // (m,)
  const B* second = nullptr;  // (m,)
};

struct Pairs {
  std::int64_t count = 0;
  const std::int32_t* sources = nullptr;  // (count,)
  const std::int32_t* targets = nullptr;  // (count,)
};

struct Limits {
  std::int64_t labels = 0;  // per pair
  std::int64_t bytes = 0;   // of the labels and the paths of all pairs
};

template <class A, class B>
struct Found : paths::PathsOfPairs {
  std::vector<A> first;  // of each path
  std::vector<B> second;
  std::vector<std::int64_t> arcs;  // of path i from arcs[offsets[i] - i] on
};

// For every pair the costs that no path beats, one path each, ascending by the first cost. A path beats
// another one if none of its costs is larger, and one is smaller. A cost is the sum of those of the arcs in
// the order of the path.
//
// The sum of two costs of paths fits A and B. Costs of int64 are exact; those of double are compared as
// they are summed up. Throws std::overflow_error with the number of a pair that has more labels than the
// limit, and std::bad_alloc if there are more bytes. Control advances by the pairs. Memory: about
// 100 (n + m) bytes, and per thread 100 n.
template <class A, class B>
Found<A, B> search(const Arcs<A, B>& arcs, const Pairs& pairs, const Limits& limits, int threads,
                   Control& control);

}  // namespace apsp::pareto
