// The arrays of sums over rows.
#pragma once
#include <cstddef>
#include <cstdint>

#include "bindings/arrays.hpp"
#include "rows/row_sums.hpp"

namespace apsp::bindings {

inline rows::RowSums row_sums(const Vector<std::int32_t>& sources, const Numbers<std::int64_t>& reached,
                              const Numbers<std::int64_t>& total, const Numbers<double>& reciprocals,
                              const Numbers<std::int32_t>& largest, const Numbers<std::int32_t>& farthest) {
  const std::size_t count = sources.shape(0);
  require(reached.shape(0) == count && total.shape(0) == count && reciprocals.shape(0) == count &&
              largest.shape(0) == count && farthest.shape(0) == count,
          "the sums must have one entry for each source");
  return {reached.data(), total.data(), reciprocals.data(), largest.data(), farthest.data()};
}

}  // namespace apsp::bindings
