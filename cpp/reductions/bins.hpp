// Which bin [k 2^e, (k + 1) 2^e) a distance belongs to.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "reductions/rows.hpp"

namespace apsp::reductions {

// Counts distances in bins of width 2^exponent, from -bins to bins - 1.
template <class T>
class EvenCounter {
 public:
  EvenCounter(int exponent, std::int64_t bins)
      : shift_(std::clamp(exponent, 0, 63)), bins_(bins), end_(static_cast<double>(bins)) {
    if constexpr (std::is_floating_point_v<T>) {
      // 2^-exponent may itself overflow for the tiniest distances, so it is applied in two exact halves.
      const int scale = exponent == Histogram::kUnset ? 0 : -exponent, half = scale / 2;
      one_ = std::ldexp(1.0, half);
      other_ = std::ldexp(1.0, scale - half);
    }
  }

  // Adds 1 to the counter of the bin, middle[-bins] to middle[bins - 1]. Distances outside are left out, and
  // so are infinity and not-a-number.
  void count(T distance, std::int64_t* middle) const {
    if constexpr (std::is_integral_v<T>) {
      const std::int64_t bin = static_cast<std::int64_t>(distance) >> shift_;
      if (bin >= -bins_ && bin < bins_) ++middle[bin];
    } else {
      const auto value = static_cast<double>(distance);
      const double scaled = value * one_ * other_;
      if (!(scaled >= -end_ && scaled < end_)) return;
      // Rounded down. A product may become -0: then the distance itself tells that it is below zero.
      const auto bin = static_cast<std::int64_t>(scaled);
      const bool is_below = (static_cast<double>(bin) > scaled) | ((bin == 0) & (value < 0));
      ++middle[bin - is_below];
    }
  }

  // The same, of an integer that is not outside.
  void count_covered(T distance, std::int64_t* middle) const {
    if constexpr (std::is_integral_v<T>)
      ++middle[static_cast<std::int64_t>(distance) >> shift_];
    else
      count(distance, middle);
  }

 private:
  int shift_;
  std::int64_t bins_;
  double end_, one_ = 1, other_ = 1;
};

}  // namespace apsp::reductions
