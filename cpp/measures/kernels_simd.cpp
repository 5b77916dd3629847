// Plain loops over one row that compilers vectorise, compiled once per instruction set: see
// simd/dispatch.hpp. Floats are summed in eight lanes over chunks, and chunks with Neumaier's compensation:
// the error is a few roundings of the result for any length.
#include "measures/kernels.hpp"

namespace apsp::measures::APSP_SIMD {
namespace {

constexpr std::int64_t kChunk = 512, kLanes = 8;

template <class T>
constexpr bool kFloat = static_cast<T>(0.5) != 0;

template <class T>
constexpr T no_path() {
  if constexpr (kFloat<T>)
    return static_cast<T>(__builtin_inf());
  else if constexpr (static_cast<T>(-1) > 0)
    return static_cast<T>(-1);
  else
    return static_cast<T>((static_cast<T>(1) << (8 * sizeof(T) - 2)) - 1 +
                          (static_cast<T>(1) << (8 * sizeof(T) - 2)));
}

inline void add_compensated(double& sum, double& error, double value) {
  const double next = sum + value;
  error += __builtin_fabs(sum) >= __builtin_fabs(value) ? (sum - next) + value : (value - next) + sum;
  sum = next;
}

// The sum, which is infinite if it is beyond the range: the error has no meaning then.
inline double compensated(double sum, double error) {
  return __builtin_fabs(sum) < __builtin_inf() ? sum + error : sum;
}

inline double total_of(const double* lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

template <class T>
double reciprocal(T distance) {
  return distance != 0 && distance != no_path<T>() ? 1.0 / static_cast<double>(distance) : 0.0;
}

// The sum of term(distance) over a chunk, in lanes.
template <class T, class Term>
double lane_sum(const T* row, std::int64_t count, Term term) {
  double lanes[kLanes] = {};
  std::int64_t j = 0;
  for (; j + kLanes <= count; j += kLanes)
    for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(row[j + lane]);
  double rest = 0;
  for (; j < count; ++j) rest += term(row[j]);
  return total_of(lanes) + rest;
}

template <class T>
void extremes(const T* row, std::int64_t columns, RowNumbers<T>& numbers) {
  constexpr T none = no_path<T>();
  T lows[kLanes * 8 / sizeof(T)], highs[kLanes * 8 / sizeof(T)];
  constexpr std::int64_t width = kLanes * 8 / sizeof(T);
  std::int64_t first = 0;
  while (first < columns && row[first] == none) ++first;
  if (first == columns) return;
  for (std::int64_t lane = 0; lane < width; ++lane) lows[lane] = highs[lane] = row[first];
  std::int64_t j = first;
  for (; j + width <= columns; j += width)
    for (std::int64_t lane = 0; lane < width; ++lane) {
      const T value = row[j + lane], finite = value == none ? highs[lane] : value;
      lows[lane] = value < lows[lane] ? value : lows[lane];
      highs[lane] = finite > highs[lane] ? finite : highs[lane];
    }
  for (; j < columns; ++j) {
    if (row[j] == none) continue;
    lows[0] = row[j] < lows[0] ? row[j] : lows[0];
    highs[0] = row[j] > highs[0] ? row[j] : highs[0];
  }
  numbers.least = lows[0];
  numbers.largest = highs[0];
  for (std::int64_t lane = 1; lane < width; ++lane) {
    numbers.least = lows[lane] < numbers.least ? lows[lane] : numbers.least;
    numbers.largest = highs[lane] > numbers.largest ? highs[lane] : numbers.largest;
  }
  numbers.farthest = first;
  // The bound is needed for rows with not-a-number, which is not equal to itself.
  while (numbers.farthest < columns - 1 && row[numbers.farthest] != numbers.largest) ++numbers.farthest;
}

template <class T>
std::int64_t integer_sum(const T* row, std::int64_t count, bool& overflow) {
  std::int64_t sum = 0;
  if constexpr (sizeof(T) == 8) {
    for (std::int64_t j = 0; j < count; ++j)
      overflow |= __builtin_add_overflow(sum, row[j] == no_path<T>() ? 0 : row[j], &sum);
  } else {
    for (std::int64_t j = 0; j < count; ++j) sum += row[j] == no_path<T>() ? 0 : row[j];
  }
  return sum;
}

template <class T>
void row_numbers(const T* row, std::int64_t columns, RowNumbers<T>& numbers) {
  constexpr T none = no_path<T>();
  numbers = RowNumbers<T>{};
  extremes(row, columns, numbers);
  if (numbers.farthest < 0) return;
  double sum = 0, sum_error = 0, reciprocals = 0, reciprocals_error = 0;
  for (std::int64_t from = 0; from < columns; from += kChunk) {
    const std::int64_t count = columns - from < kChunk ? columns - from : kChunk;
    const T* chunk = row + from;
    std::int32_t reachable = 0;
    for (std::int64_t j = 0; j < count; ++j) reachable += chunk[j] != none;
    numbers.reachable += reachable;
    if constexpr (kFloat<T>) {
      add_compensated(sum, sum_error, lane_sum(chunk, count, [](T d) {
                        return d == no_path<T>() ? 0.0 : static_cast<double>(d);
                      }));
    } else {
      numbers.overflow |=
          __builtin_add_overflow(numbers.sum, integer_sum(chunk, count, numbers.overflow), &numbers.sum);
    }
    add_compensated(reciprocals, reciprocals_error,
                    lane_sum(chunk, count, [](T d) { return reciprocal(d); }));
  }
  if constexpr (kFloat<T>) numbers.sum = compensated(sum, sum_error);
  numbers.reciprocals = compensated(reciprocals, reciprocals_error);
}

template <class T>
void add_row_to_columns(const T* row, std::int64_t columns, const ColumnNumbers<T>& sums) {
  constexpr T none = no_path<T>();
  for (std::int64_t j = 0; j < columns; ++j) sums.reachable[j] += row[j] != none;
  if constexpr (kFloat<T>) {
    for (std::int64_t j = 0; j < columns; ++j)
      add_compensated(sums.sum[j], sums.sum_error[j], row[j] == none ? 0.0 : static_cast<double>(row[j]));
  } else {
    // Unsigned, so that a sum that the caller has not ruled out wraps instead of being undefined.
    for (std::int64_t j = 0; j < columns; ++j)
      sums.sum[j] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums.sum[j]) +
                                              static_cast<std::uint64_t>(row[j] == none ? 0 : row[j]));
  }
  for (std::int64_t j = 0; j < columns; ++j)
    add_compensated(sums.reciprocals[j], sums.reciprocals_error[j], reciprocal(row[j]));
}

template <class T>
constexpr Kernels<T> kTable{row_numbers<T>, add_row_to_columns<T>};

}  // namespace

template <class T>
const Kernels<T>& table() {
  return kTable<T>;
}

template const Kernels<float>& table<float>();
template const Kernels<double>& table<double>();
template const Kernels<std::int32_t>& table<std::int32_t>();
template const Kernels<std::int64_t>& table<std::int64_t>();
template const Kernels<std::uint16_t>& table<std::uint16_t>();

}  // namespace apsp::measures::APSP_SIMD
