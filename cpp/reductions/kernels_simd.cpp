// Plain loops over one row that compilers vectorise, compiled once per instruction set: see
// simd/dispatch.hpp. Floats are summed in eight lanes over chunks, and chunks with Neumaier's compensation:
// the error is a few roundings of the result for any length.
#include "reductions/kernels.hpp"
#include "simd/lanes.hpp"

namespace apsp::reductions::APSP_SIMD {
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

// An integer as wide as T, in which columns of a chunk are counted beside values of T.
template <int bytes>
struct Wide {
  using Type = std::uint32_t;
};
template <>
struct Wide<2> {
  using Type = std::uint16_t;
};
template <>
struct Wide<8> {
  using Type = std::uint64_t;
};
template <class T>
using CountOf = typename Wide<sizeof(T)>::Type;

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

// The first column from `first` on that has the value, by groups that are compared at once; the last column
// if there is none: a row with not-a-number, which is not equal to itself.
template <class T>
std::int64_t first_equal(const T* row, std::int64_t first, std::int64_t columns, T value) {
  constexpr std::int64_t group = 64;
  for (; first + group < columns; first += group) {
    CountOf<T> equal = 0;
    for (std::int64_t j = 0; j < group; ++j) equal |= row[first + j] == value;
    if (equal) break;
  }
  while (first < columns - 1 && row[first] != value) ++first;
  return first;
}

// Of all lanes, to the first one, in halves, which are vectors.
template <int kCount, class T>
inline void extremes_to_first(T* lows, T* highs) {
#pragma GCC unroll 5
  for (int half = kCount / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) {
      lows[lane] = lows[lane + half] < lows[lane] ? lows[lane + half] : lows[lane];
      highs[lane] = highs[lane + half] > highs[lane] ? highs[lane + half] : highs[lane];
    }
}

// Whether every column has a path, and then the extremes. False for a row that begins with not-a-number.
template <class T>
bool whole_extremes(const T* row, std::int64_t columns, RowNumbers<T>& numbers) {
  using Lanes = simd::APSP_SIMD::Lanes<T>;
  if (columns == 0) return false;
  typename Lanes::Vector low = Lanes::splat(Lanes::pack(row[0])), high = low;
  std::int64_t j = 0;
  for (; j + Lanes::kCount <= columns; j += Lanes::kCount) {
    const typename Lanes::Vector value = Lanes::load(row + j);
    low = simd::APSP_SIMD::min<T>(value, low);  // not-a-number is left out: the second one remains
    high = simd::APSP_SIMD::max<T>(value, high);
  }
  T lows[Lanes::kCount], highs[Lanes::kCount];
  Lanes::store(lows, low);
  Lanes::store(highs, high);
  extremes_to_first<Lanes::kCount>(lows, highs);
  T least = lows[0], largest = highs[0];
  for (; j < columns; ++j) {
    least = row[j] < least ? row[j] : least;
    largest = row[j] > largest ? row[j] : largest;
  }
  if (!(largest < no_path<T>())) return false;
  numbers.least = least;
  numbers.largest = largest;
  numbers.farthest = first_equal(row, 0, columns, largest);
  return true;
}

template <class T>
void extremes(const T* row, std::int64_t columns, RowNumbers<T>& numbers) {
  constexpr T none = no_path<T>();
  constexpr int width = kLanes * 8 / sizeof(T);
  T lows[width], highs[width];
  std::int64_t first = 0;
  while (first < columns && row[first] == none) ++first;
  if (first == columns) return;
  const T some = row[first];  // instead of "no path", which the largest value must not be
  for (std::int64_t lane = 0; lane < width; ++lane) lows[lane] = highs[lane] = some;
  std::int64_t j = first;
  for (; j + width <= columns; j += width) {
    for (std::int64_t lane = 0; lane < width; ++lane)
      lows[lane] = row[j + lane] < lows[lane] ? row[j + lane] : lows[lane];
    for (std::int64_t lane = 0; lane < width; ++lane) {
      const T finite = row[j + lane] == none ? some : row[j + lane];
      highs[lane] = finite > highs[lane] ? finite : highs[lane];
    }
  }
  for (; j < columns; ++j) {
    if (row[j] == none) continue;
    lows[0] = row[j] < lows[0] ? row[j] : lows[0];
    highs[0] = row[j] > highs[0] ? row[j] : highs[0];
  }
  extremes_to_first<width>(lows, highs);
  numbers.least = lows[0];
  numbers.largest = highs[0];
  numbers.farthest = first_equal(row, first, columns, numbers.largest);
}

// How many columns of a chunk have a path.
template <class T>
std::int64_t count_reachable(const T* chunk, std::int64_t count) {
  CountOf<T> reachable = 0;
  for (std::int64_t j = 0; j < count; ++j) reachable += chunk[j] != no_path<T>();
  return static_cast<std::int64_t>(reachable);
}

// kWhole: every column has a path.
template <bool kWhole, class T>
std::int64_t integer_sum(const T* row, std::int64_t count, bool& overflow) {
  const auto length = [row](std::int64_t j) { return !kWhole && row[j] == no_path<T>() ? T{0} : row[j]; };
  std::int64_t sum = 0;
  if constexpr (sizeof(T) == 8) {
    for (std::int64_t j = 0; j < count; ++j) overflow |= __builtin_add_overflow(sum, length(j), &sum);
  } else if constexpr (sizeof(T) == 2) {
    static_assert(kChunk < 1 << 16);
    std::uint32_t narrow = 0;
    for (std::int64_t j = 0; j < count; ++j) narrow += length(j);
    sum = narrow;
  } else {
    for (std::int64_t j = 0; j < count; ++j) sum += length(j);
  }
  return sum;
}

template <class T>
void row_numbers(const T* row, std::int64_t columns, bool with_reciprocals, RowNumbers<T>& numbers) {
  numbers = RowNumbers<T>{};
  const bool whole = whole_extremes(row, columns, numbers);
  if (!whole) extremes(row, columns, numbers);
  if (numbers.farthest < 0) return;
  double sum = 0, sum_error = 0, reciprocals = 0, reciprocals_error = 0;
  for (std::int64_t from = 0; from < columns; from += kChunk) {
    const std::int64_t count = columns - from < kChunk ? columns - from : kChunk;
    const T* chunk = row + from;
    numbers.reachable += whole ? count : count_reachable(chunk, count);
    if constexpr (kFloat<T>) {
      add_compensated(sum, sum_error, lane_sum(chunk, count, [](T d) {
                        return d == no_path<T>() ? 0.0 : static_cast<double>(d);
                      }));
    } else {
      const std::int64_t part = whole ? integer_sum<true>(chunk, count, numbers.overflow)
                                      : integer_sum<false>(chunk, count, numbers.overflow);
      numbers.overflow |= __builtin_add_overflow(numbers.sum, part, &numbers.sum);
    }
    if (with_reciprocals)
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
void within(const T* row, std::int64_t count, T cutoff, const double* values, double* factors) {
  constexpr T none = no_path<T>();
  if (values == nullptr) {
    for (std::int64_t j = 0; j < count; ++j) factors[j] = ((row[j] <= cutoff) & (row[j] < none)) ? 1.0 : 0.0;
  } else {
    for (std::int64_t j = 0; j < count; ++j)
      factors[j] = ((row[j] <= cutoff) & (row[j] < none)) ? values[j] : 0.0;
  }
}

double dot(const double* a, const double* b, std::int64_t count) {
  double lanes[kLanes] = {};
  std::int64_t j = 0;
  for (; j + kLanes <= count; j += kLanes)
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const double product = a[j + lane] * b[j + lane];
      lanes[lane] += product;
    }
  double rest = 0;
  for (; j < count; ++j) {
    const double product = a[j] * b[j];
    rest += product;
  }
  return total_of(lanes) + rest;
}

template <class T>
constexpr Kernels<T> kTable{row_numbers<T>, add_row_to_columns<T>, within<T>, dot};

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

}  // namespace apsp::reductions::APSP_SIMD
