// Rows of distances in the form that reductions take.
#pragma once
#include <cstdint>

#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "reductions/rows.hpp"

namespace apsp::bindings {

template <class T>
reductions::DistanceRows<T> rows_of(const Rows<const T>& dist) {
  const auto rows = static_cast<std::int64_t>(dist.shape(0)),
             columns = static_cast<std::int64_t>(dist.shape(1));
  require(rows == 0 || columns <= 1 || dist.stride(1) == 1, "dist must have contiguous rows");
  return {dist.data(), rows, columns, rows > 1 ? static_cast<std::int64_t>(dist.stride(0)) : columns};
}

// The number of threads to use: no thread is started for a few rows.
template <class T>
int useful(const reductions::DistanceRows<T>& rows, int threads) {
  return is_brief(rows.rows, rows.columns) ? 1 : threads;
}

}  // namespace apsp::bindings
