// Numbers computed from rows of distances while they are in memory, so that n x n need not be stored: per row
// the reachable columns, the sum, the extremes, the farthest column and the sum of reciprocals; per column
// the same sums; and a histogram. "No path" is infinity for floats and the largest value for integers.
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/control.hpp"

namespace apsp::reductions {

// rows x columns distances; rows lie `stride` elements apart.
template <class T>
struct DistanceRows {
  const T* data;
  std::int64_t rows, columns, stride;
};

// The type that sums of T are exact in (integers) or accurate in (floats).
template <class T>
struct SumOf {
  using Type = std::int64_t;
};
template <>
struct SumOf<float> {
  using Type = double;
};
template <>
struct SumOf<double> {
  using Type = double;
};
template <class T>
using Sum = typename SumOf<T>::Type;

// The numbers of one row, over its reachable columns.
template <class T>
struct RowNumbers {
  std::int64_t reachable = 0;  // columns with a path, the source itself included
  Sum<T> sum = 0;              // of the distances
  double reciprocals = 0;      // sum of 1 / distance, if wanted; distances of zero add nothing
  T least = 0, largest = 0;    // 0 and 0 where nothing is reachable
  std::int64_t farthest = -1;  // the first column at distance `largest`
  bool overflow = false;       // the sum of an int64 row does not fit int64
};

// Running sums of every column, (columns,) each; the compensation arrays are used by floats only (Neumaier
// 1974).
template <class T>
struct ColumnNumbers {
  std::int64_t* reachable;
  Sum<T>* sum;
  double* sum_error;
  double* reciprocals;
  double* reciprocals_error;
};

// Counts of distances in bins [i 2^e, (i + 1) 2^e) for i from -bins to bins - 1. The width doubles, pairs of
// bins being merged, whenever a distance lies outside: the final counts do not depend on the order of rows or
// threads. Integers start at e = 0; floats as fine as the first row that is not all zero needs.
class Histogram {
 public:
  static constexpr int kUnset = -5000;  // every distance so far is zero

  Histogram(std::int64_t bins, int exponent, std::vector<std::int64_t> counts);
  explicit Histogram(std::int64_t bins, bool integers);

  std::int64_t bins() const noexcept { return bins_; }
  int exponent() const noexcept { return exponent_; }
  const std::vector<std::int64_t>& counts() const noexcept { return counts_; }

  // Widens until `least` and `largest` have a bin.
  void cover(double least, double largest);
  void merge(const Histogram& other);

  std::int64_t* data() noexcept { return counts_.data(); }

 private:
  void widen_to(int exponent);

  std::int64_t bins_;
  int exponent_;
  std::vector<std::int64_t> counts_;  // of bin -bins first
};

// Fills numbers[i] for every row; without `with_reciprocals`, whose divisions take half of the time, sums of
// 1 / distance remain zero. Adds all reachable distances (the zero of the source itself included) to
// `histogram` unless it is null. Rows are divided among `threads`; the numbers of a row do not depend on
// their number.
template <class T>
void reduce_rows(const DistanceRows<T>& rows, RowNumbers<T>* numbers, bool with_reciprocals,
                 Histogram* histogram, int threads, Control& control);

// Adds the rows to running sums of the columns. Columns are divided among `threads`, and rows are added in
// order.
template <class T>
void reduce_columns(const DistanceRows<T>& rows, const ColumnNumbers<T>& columns, int threads,
                    Control& control);

// Adds to counts[k] the reachable distances d with edges[k] <= d < edges[k + 1] (the last edge belongs to the
// last bin, as in NumPy). `edges` has bins + 1 increasing values.
template <class T>
void count_between(const DistanceRows<T>& rows, const std::vector<double>& edges, std::int64_t* counts,
                   int threads, Control& control);

}  // namespace apsp::reductions
