// The arrays of sums over rows.
#pragma once
#include <cstddef>
#include <cstdint>

#include "bindings/arrays.hpp"
#include "rows/row_sums.hpp"

namespace apsp::bindings {

struct SumArrays {
  Vector<std::int32_t> sources;
  Numbers<std::int64_t> reached;
  Numbers<std::int64_t> total;
  Numbers<double> reciprocals;
  Numbers<std::int32_t> largest;
  Numbers<std::int32_t> farthest;

  std::int64_t count() const noexcept { return static_cast<std::int64_t>(sources.shape(0)); }
  rows::RowSums view() const {
    const std::size_t count = sources.shape(0);
    require(reached.shape(0) == count && total.shape(0) == count && reciprocals.shape(0) == count &&
                largest.shape(0) == count && farthest.shape(0) == count,
            "the sums must have one entry for each source");
    return {reached.data(), total.data(), reciprocals.data(), largest.data(), farthest.data()};
  }
};

}  // namespace apsp::bindings
