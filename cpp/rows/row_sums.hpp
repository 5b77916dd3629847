// The numbers of every row of distances that closeness, eccentricity and similar measures need, computed from
// lines of distances, one lane per source, without storing rows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace apsp::rows {

// (count,) each, of the distances from a source over the vertices it reaches.
struct RowSums {
  std::int64_t* reached;  // their number, including the source
  std::int64_t* total;    // sum of the distances
  double* reciprocals;    // sum of 1 / distance; distances of zero add nothing
  std::int32_t* largest;
  std::int32_t* farthest;  // the smallest vertex at distance `largest`
};

// Running sums and extremes of each lane.
struct LaneTallies {
  std::int64_t *reached, *total;
  std::int32_t *largest, *least, *farthest;
  double *reciprocals, *errors;  // the sum is both together
};

// Those of the lanes of one batch.
class BatchTallies {
 public:
  explicit BatchTallies(std::int64_t lanes)
      : reached_(lanes),
        total_(lanes),
        largest_(lanes),
        least_(lanes),
        farthest_(lanes),
        reciprocals_(lanes),
        errors_(lanes) {}

  // Empty, for the next batch.
  LaneTallies begin() {
    std::fill(reached_.begin(), reached_.end(), 0);
    std::fill(total_.begin(), total_.end(), 0);
    std::fill(largest_.begin(), largest_.end(), 0);
    std::fill(least_.begin(), least_.end(), 0);
    std::fill(farthest_.begin(), farthest_.end(), std::numeric_limits<std::int32_t>::max());
    std::fill(reciprocals_.begin(), reciprocals_.end(), 0.0);
    std::fill(errors_.begin(), errors_.end(), 0.0);
    return {reached_.data(),  total_.data(),       largest_.data(), least_.data(),
            farthest_.data(), reciprocals_.data(), errors_.data()};
  }
  void store(std::int64_t lane, const RowSums& sums, std::int64_t row) const {
    sums.reached[row] = reached_[lane];
    sums.total[row] = total_[lane];
    sums.reciprocals[row] = reciprocals_[lane] + errors_[lane];
    sums.largest[row] = largest_[lane];
    sums.farthest[row] = farthest_[lane];
  }
  std::int32_t least() const { return *std::min_element(least_.begin(), least_.end()); }

 private:
  std::vector<std::int64_t> reached_, total_;
  std::vector<std::int32_t> largest_, least_, farthest_;
  std::vector<double> reciprocals_, errors_;
};

}  // namespace apsp::rows
