// The inner loops over one row: see simd/dispatch.hpp.
#pragma once
#include <cstdint>

#include "reductions/rows.hpp"
#include "simd/dispatch.hpp"

namespace apsp::reductions {

template <class T>
struct Kernels {
  // row (columns) -> its numbers; those of 1 / distance only if they are wanted.
  void (*row)(const T* row, std::int64_t columns, bool with_reciprocals, RowNumbers<T>& numbers);

  // Adds row (columns) to the running sums, all of which start at the same column.
  void (*add_to_columns)(const T* row, std::int64_t columns, const ColumnNumbers<T>& sums);

  // factors[j]: 1, or values[j] unless that is null, for a distance row[j] of at most `cutoff`, else 0.
  void (*within)(const T* row, std::int64_t count, T cutoff, const double* values, double* factors);

  // The sum of a[j] * b[j], in the same order for every instruction set.
  double (*dot)(const double* a, const double* b, std::int64_t count);
};

// Those of the instruction set in force.
template <class T>
const Kernels<T>& kernels();

APSP_FOR_EACH_ISA(template <class T> const Kernels<T>& table();)

}  // namespace apsp::reductions
