// Arrays of sums over rows, for tests.
#pragma once
#include <cstdint>
#include <vector>

#include "rows/row_sums.hpp"

namespace apsp::tests {

struct OwnedSums {
  std::vector<std::int64_t> reached, total;
  std::vector<double> reciprocals;
  std::vector<std::int32_t> largest, farthest;

  explicit OwnedSums(std::int64_t rows)
      : reached(rows), total(rows), reciprocals(rows), largest(rows), farthest(rows) {}
  rows::RowSums view() {
    return {reached.data(), total.data(), reciprocals.data(), largest.data(), farthest.data()};
  }
};

}  // namespace apsp::tests
