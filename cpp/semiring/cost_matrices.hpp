// A matrix for each of the costs of a path.
#pragma once
#include <cstdint>

#include "semiring/costs.hpp"

namespace apsp::semiring {

struct CostMatrices {
  double* data;  // (kinds, rows, columns)
  std::int64_t kinds, rows, columns;

  // Writes the first `kinds` costs.
  template <int kSize>
  void write(std::int64_t row, std::int64_t column, const Costs<kSize>& costs) const {
    double* to = data + row * columns + column;
    for (std::int64_t kind = 0; kind < kinds; ++kind, to += rows * columns) *to = costs.at[kind];
  }
};

}  // namespace apsp::semiring
