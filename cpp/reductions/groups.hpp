// Distances from rows to groups of columns: sums and extremes, counts by distance, and quantiles. A group is
// a segment of `order`, which lists the columns group by group; columns that are in no group are not listed.
#pragma once
#include <cstdint>

#include "reductions/rows.hpp"
#include "runtime/control.hpp"

namespace apsp::reductions {

// Columns of group g: order[starts[g]] to order[starts[g + 1] - 1]. own[i]: the place in `order` of the
// source of row i, whose distance to itself does not count; -1 if it is in no group.
struct Groups {
  const std::int32_t* order;
  const std::int64_t* starts;  // (count + 1,)
  std::int64_t count;
  const std::int64_t* own;

  std::int64_t columns() const noexcept { return starts[count]; }
};

// Of every row and group, (rows, groups) each: columns with a path, the sum of their distances (of floats
// compensated), and the extremes, 0 where there is no path.
template <class T>
struct GroupNumbers {
  std::int64_t* reached;
  Sum<T>* total;
  T* least;
  T* largest;
};

// Returns whether a sum of int64 distances did not fit.
template <class T>
bool reduce_groups(const DistanceRows<T>& rows, const Groups& groups, const GroupNumbers<T>& numbers,
                   int threads, Control& control);

// Bins of width 2^exponent: bin k holds distances d with (k - bins) 2^e <= d < (k - bins + 1) 2^e, k < 2
// bins.
struct EvenBins {
  int exponent;
  std::int64_t bins;
};

// Bins between increasing edges; the last one includes its end.
struct EdgeBins {
  const double* edges;
  std::int64_t bins;
};

// Windows of the keys of distances, which are integers in the order of the distances: the distance itself, or
// the bits of a float. Window w of a cell and a group has `bins` bins of 2^shift keys from
// lows[(cell * groups + group) * windows + w] on.
struct KeyWindows {
  const std::int64_t* lows;
  std::int64_t windows;
  int shift;
  std::int64_t bins;
};

// Adds the distances of row i to the counts of cell cells[i] (none if it is -1): counts has (cells, groups,
// bins) elements, and with windows (cells, groups, windows, bins). Distances outside all bins are left out.
template <class T, class Bins>
void count_groups(const DistanceRows<T>& rows, const Groups& groups, const std::int32_t* cells,
                  const Bins& bins, std::int64_t* counts, int threads, Control& control);

// quantiles (rows, groups, shares): the smallest distance that at least that share of the columns with a path
// do not exceed; "no path" where there are none. `shares` ascends.
template <class T>
void quantiles_of_groups(const DistanceRows<T>& rows, const Groups& groups, const double* shares,
                         std::int64_t count, T* quantiles, int threads, Control& control);

}  // namespace apsp::reductions
