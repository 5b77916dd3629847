// The arcs of a graph in the form that dense kernels read: CSR arrays, weights of any dtype or none (every
// arc counts 1).
#pragma once
#include <cstdint>

#include "semiring/algebra.hpp"

namespace apsp::graph {

enum class WeightType { kNone, kInt32, kInt64, kFloat32, kFloat64 };

struct WeightedArcs {
  std::int64_t n;
  const std::int64_t* indptr;   // (n + 1)
  const std::int32_t* indices;  // (m), each below n
  const void* weights;          // (m) of the type below
  WeightType type;

  std::int64_t begin(std::int64_t vertex) const { return indptr[vertex]; }
  std::int64_t end(std::int64_t vertex) const { return indptr[vertex + 1]; }
};

// Throws std::invalid_argument unless indptr rises from 0 to m.
void check_indptr(const WeightedArcs& arcs, std::int64_t m);

// Throws std::invalid_argument unless the heads of arcs first .. first + count - 1 are vertices.
void check_heads(const WeightedArcs& arcs, std::int64_t first, std::int64_t count);

// Number of arcs that are processed at a time if runs of consecutive heads (dense rows) have a fast path.
constexpr std::int64_t kRunLength = 64;

// Whether heads[0], ..., heads[count - 1] are consecutive numbers.
inline bool consecutive(const std::int32_t* heads, std::int64_t count) {
  std::uint32_t off = 0;
  for (std::int64_t k = 0; k < count; ++k)
    off |= static_cast<std::uint32_t>(heads[k]) - static_cast<std::uint32_t>(heads[0]) -
           static_cast<std::uint32_t>(k);
  return off == 0;
}

// The type of weights of T.
template <class T>
constexpr WeightType type_of() {
  if constexpr (std::is_same_v<T, std::int32_t>) return WeightType::kInt32;
  if constexpr (std::is_same_v<T, std::int64_t>) return WeightType::kInt64;
  if constexpr (std::is_same_v<T, float>) return WeightType::kFloat32;
  if constexpr (std::is_same_v<T, double>) return WeightType::kFloat64;
  return WeightType::kNone;  // no weights are 16 bits wide
}

// Weights first .. first + count - 1 as kernel values. Larger than any distance means "no path" in (min,+).
// Throws std::invalid_argument if T cannot hold a weight (see fill in matrix.hpp).
template <class T>
void read_weights(const WeightedArcs& arcs, semiring::Algebra algebra, std::int64_t first, std::int64_t count,
                  T* out);

}  // namespace apsp::graph
