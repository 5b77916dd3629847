#include "reductions/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "reductions/bins.hpp"
#include "reductions/kernels.hpp"
#include "runtime/team.hpp"

namespace apsp::reductions {
namespace {

constexpr std::int64_t kColumnsPerTask = 2048;       // running sums of a task stay in the first-level caches
constexpr std::int64_t kElementsPerCheck = 1 << 22;  // a few milliseconds

template <class T>
constexpr T no_path() {
  return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                              : std::numeric_limits<T>::max();
}

// The histogram covers the row.
template <class T>
void count_row(const T* row, std::int64_t columns, Histogram& histogram) {
  const EvenCounter<T> counter(histogram.exponent(), histogram.bins());
  std::int64_t* middle = histogram.data() + histogram.bins();
  for (std::int64_t j = 0; j < columns; ++j)
    if (row[j] != no_path<T>()) counter.count_covered(row[j], middle);
}

}  // namespace

Histogram::Histogram(std::int64_t bins, bool integers) : bins_(bins), exponent_(integers ? 0 : kUnset) {
  if (bins < 1) throw std::invalid_argument("a histogram needs at least one bin");
  counts_.resize(static_cast<std::size_t>(2 * bins));
}

Histogram::Histogram(std::int64_t bins, int exponent, std::vector<std::int64_t> counts)
    : bins_(bins), exponent_(exponent), counts_(std::move(counts)) {
  if (bins < 1 || static_cast<std::int64_t>(counts_.size()) != 2 * bins || exponent < kUnset ||
      exponent > 1024)
    throw std::invalid_argument("a histogram needs 2 bins counts and an exponent in range");
}

void Histogram::cover(double least, double largest) {
  if (!std::isfinite(least) || !std::isfinite(largest) || (least == 0 && largest == 0)) return;
  int exponent = exponent_;
  if (exponent == kUnset) {
    // The finest width that may be enough: bins * 2^e > size / 2, and not below the last place of the
    // smallest float.
    int size_exponent = 0, bins_exponent = 0;
    std::frexp(std::max(std::fabs(least), std::fabs(largest)), &size_exponent);
    std::frexp(static_cast<double>(bins_), &bins_exponent);
    exponent = std::max(size_exponent - bins_exponent - 1, -1074);
  }
  while (std::floor(std::ldexp(largest, -exponent)) >= static_cast<double>(bins_) ||
         std::floor(std::ldexp(least, -exponent)) < static_cast<double>(-bins_))
    ++exponent;
  widen_to(exponent);
}

void Histogram::widen_to(int exponent) {
  const int steps = exponent_ == kUnset ? 0 : exponent - exponent_;  // all zeros: they stay in bin 0
  exponent_ = exponent;
  if (steps <= 0) return;
  std::vector<std::int64_t> wider(counts_.size());
  const int shift = std::min(steps, 63);
  for (std::int64_t bin = -bins_; bin < bins_; ++bin)
    wider[static_cast<std::size_t>((bin >> shift) + bins_)] += counts_[static_cast<std::size_t>(bin + bins_)];
  counts_.swap(wider);
}

void Histogram::merge(const Histogram& other) {
  Histogram same = other;
  const int exponent = std::max(exponent_, same.exponent_);
  if (exponent != exponent_) widen_to(exponent);
  if (exponent != same.exponent_) same.widen_to(exponent);
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) counts_[bin] += same.counts_[bin];
}

template <class T>
void reduce_rows(const DistanceRows<T>& rows, RowNumbers<T>* numbers, bool with_reciprocals,
                 Histogram* histogram, int threads, Control& control) {
  const Kernels<T>& loops = kernels<T>();
  Team team(threads);
  std::vector<std::unique_ptr<Histogram>> parts(static_cast<std::size_t>(team.size()));
  team.parallel_for(rows.rows, [&](std::int64_t i, int member) {
    control.check();
    const T* row = rows.data + i * rows.stride;
    loops.row(row, rows.columns, with_reciprocals, numbers[i]);
    if (histogram && numbers[i].farthest >= 0) {
      auto& part = parts[static_cast<std::size_t>(member)];
      if (!part) part = std::make_unique<Histogram>(histogram->bins(), std::numeric_limits<T>::is_integer);
      part->cover(static_cast<double>(numbers[i].least), static_cast<double>(numbers[i].largest));
      count_row(row, rows.columns, *part);
    }
    control.advance(1);
  });
  for (const auto& part : parts)
    if (part) histogram->merge(*part);
}

template <class T>
void reduce_columns(const DistanceRows<T>& rows, const ColumnNumbers<T>& columns, int threads,
                    Control& control) {
  const Kernels<T>& loops = kernels<T>();
  const std::int64_t rows_per_check = kElementsPerCheck / kColumnsPerTask;
  Team team(threads);
  team.parallel_for((rows.columns + kColumnsPerTask - 1) / kColumnsPerTask, [&](std::int64_t task, int) {
    const std::int64_t from = task * kColumnsPerTask, count = std::min(kColumnsPerTask, rows.columns - from);
    const ColumnNumbers<T> part{columns.reachable + from, columns.sum + from,
                                columns.sum_error ? columns.sum_error + from : nullptr,
                                columns.reciprocals + from, columns.reciprocals_error + from};
    for (std::int64_t i = 0; i < rows.rows; ++i) {
      if (i % rows_per_check == 0) control.check();
      loops.add_to_columns(rows.data + i * rows.stride + from, count, part);
    }
  });
}

template <class T>
void count_between(const DistanceRows<T>& rows, const std::vector<double>& edges, std::int64_t* counts,
                   int threads, Control& control) {
  if (edges.size() < 2) throw std::invalid_argument("a histogram needs at least two edges");
  const std::size_t bins = edges.size() - 1;
  Team team(threads);
  std::mutex mutex;
  team.parallel_for(rows.rows, [&](std::int64_t i, int) {
    std::vector<std::int64_t> part(bins);
    const T* row = rows.data + i * rows.stride;
    for (std::int64_t j = 0; j < rows.columns; ++j) {
      if (j % (1 << 18) == 0) control.check();
      const auto value = static_cast<double>(row[j]);
      if (row[j] == no_path<T>() || !(value >= edges.front() && value <= edges.back())) continue;
      const auto above = std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
      ++part[std::min(static_cast<std::size_t>(above), bins) - 1];
    }
    const std::lock_guard lock(mutex);
    for (std::size_t bin = 0; bin < bins; ++bin) counts[bin] += part[bin];
  });
}

#define APSP_REDUCE_FOR(T)                                                                               \
  template void reduce_rows<T>(const DistanceRows<T>&, RowNumbers<T>*, bool, Histogram*, int, Control&); \
  template void reduce_columns<T>(const DistanceRows<T>&, const ColumnNumbers<T>&, int, Control&);       \
  template void count_between<T>(const DistanceRows<T>&, const std::vector<double>&, std::int64_t*, int, \
                                 Control&);
APSP_REDUCE_FOR(float)
APSP_REDUCE_FOR(double)
APSP_REDUCE_FOR(std::int32_t)
APSP_REDUCE_FOR(std::int64_t)
APSP_REDUCE_FOR(std::uint16_t)
#undef APSP_REDUCE_FOR

}  // namespace apsp::reductions
