// What a search proves of the eccentricities of all vertices: the bounds of Takes, Kosters 2013, "Computing
// the eccentricity distribution of large graphs", section 3. One pass over the distances from a vertex, and
// one over those to it.
#pragma once
#include <cstdint>

namespace apsp::reductions {

// Bounds of n vertices on eccentricities, and sums of their distances to the searched vertices.
template <class T>
struct SearchBounds {
  std::int64_t n;
  T* lower;
  T* upper;
  double* total;
};

// A search from a vertex: its eccentricity, the first vertex at that distance, and the number of vertices
// that it reaches, itself included. To it: the largest distance, and the first vertex from which it is.
template <class T>
struct SearchEnds {
  T eccentricity = -1, longest = -1;
  std::int64_t target = 0, reached = 0, source = 0;
};

// out, into: (n,) distances from the vertex and to it, "no path" where there is none; into may be nullptr:
// not known. part: (n,) the strongly connected component of each vertex, or nullptr if there is only one.
template <class T>
SearchEnds<T> add_search(const SearchBounds<T>& bounds, const T* out, const T* into, const std::int32_t* part,
                         std::int64_t vertex);

// The vertex with the largest (smallest) bound; of several that with the largest (smallest) total, and of
// these the first. There must be a vertex.
template <class T>
std::int64_t best_vertex(const std::int64_t* vertices, std::int64_t count, const T* bound,
                         const double* total, bool largest);

}  // namespace apsp::reductions
