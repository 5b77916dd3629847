// Products of matrices over a semiring, batched: c[i, j] = choose over k of a[i, k] join b[k, j].
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "floyd_warshall/kernels.hpp"
#include "graph/matrix.hpp"

namespace apsp::product {

enum class Semiring { kMinPlus, kMaxPlus, kMaxMin, kMinMax };

// "min_plus", "max_plus", "max_min" or "min_max"; throws std::invalid_argument otherwise.
Semiring semiring_from_name(std::string_view name);

// What its kernels compute in: (max,+) is (min,+) of the negative values.
semiring::Algebra algebra_of(Semiring semiring);

// Matrices of one shape, anywhere in memory: matrix i begins at data + offsets[i]; rows are contiguous.
template <class T>
struct Matrices {
  T* data;
  std::vector<std::int64_t> offsets;  // elements
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t row_stride;  // elements; of operands that are only read, also 0 or negative

  std::int64_t count() const { return static_cast<std::int64_t>(offsets.size()); }
  T* row(std::int64_t matrix, std::int64_t i) const {
    return data + offsets[static_cast<std::size_t>(matrix)] + i * row_stride;
  }
};

// The product of every pair of matrices, public values in and out ("no path": the smallest value where choose
// is the maximum, the largest otherwise). a (m, k), b (k, n), c (m, n); c overlaps neither. The sums of
// signed integers are proven to stay below Bounds<T>::kLimit, so are those of uint16 below 65535. `kernels`
// are of `algebra_of(semiring)`, and what they require is proven of the operands. via (m, n) or null: the
// smallest k that attains the entry, -1 where there is no path. Cost: m n k pairs per matrix (with via about
// twice the time); memory: a panel of b, and of a per thread. Small matrices are one task each, large ones
// are shared between the threads of the team. Advances control by the number of matrices.
template <class T>
void multiply(const Matrices<const T>& a, const Matrices<const T>& b, const Matrices<T>& c,
              const Matrices<std::int32_t>* via, Semiring semiring, const floyd_warshall::Kernels<T>& kernels,
              Team& team, Control& control);

// The Boolean product (or, and), through bits.
void multiply_bits(const Matrices<const bool>& a, const Matrices<const bool>& b, const Matrices<bool>& c,
                   const Matrices<std::int32_t>* via, Team& team, Control& control);

// Properties of the entries of an operand.
template <class T>
struct Entries {
  T low{0}, high{0};    // of those that are a path; 0 and 0 if there are none
  bool found = false;   // there is one
  bool numbers = true;  // no NaN, no infinity but "no path" and, where entries are only compared, the other
};

template <class T>
Entries<T> entries(const Matrices<const T>& operand, Semiring semiring, Team& team, Control& control);

}  // namespace apsp::product
