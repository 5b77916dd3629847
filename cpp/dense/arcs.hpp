// The arcs of a graph as the dense kernels see them: CSR arrays, weights of any dtype or none (every arc
// counts 1).
#pragma once
#include <cstdint>

#include "dense/algebra.hpp"

namespace apsp::dense {

enum class WeightType { kNone, kInt32, kInt64, kFloat32, kFloat64 };

struct Arcs {
  std::int64_t n;
  const std::int64_t* indptr;   // (n + 1)
  const std::int32_t* indices;  // (m), each below n
  const void* weights;          // (m) of the type below
  WeightType type;

  std::int64_t begin(std::int64_t vertex) const { return indptr[vertex]; }
  std::int64_t end(std::int64_t vertex) const { return indptr[vertex + 1]; }
};

// Throws std::invalid_argument unless indptr rises from 0 to m and every index is a vertex.
void check_arcs(const Arcs& arcs, std::int64_t m);

// Weights first .. first + count - 1 as kernel values. Larger than any distance means "no path" in (min,+).
// Throws std::invalid_argument where T cannot hold a weight (see fill in matrix.hpp).
template <class T>
void read_weights(const Arcs& arcs, Algebra algebra, std::int64_t first, std::int64_t count, T* out);

}  // namespace apsp::dense
