#include "batch/batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "floyd_warshall/floyd_warshall.hpp"
#include "floyd_warshall/kernels.hpp"
#include "runtime/buffer.hpp"
#include "runtime/dtypes.hpp"
#include "searches/signed_floats.hpp"

namespace apsp::batch {
namespace {

constexpr std::int64_t kOneTile = 128;  // the largest number of vertices that are closed as one tile

// Extremes of the arcs of a graph and 0.
template <class T>
struct Found {
  T low{0}, high{0};
  bool numbers = true;
};

// Public values of a row to kernel values, off the diagonal. No -0 remains.
template <class T>
void take_in(const T* from, T* to, std::int64_t count, T none, Found<T>& found) {
  T low = found.low, high = found.high;
  bool numbers = true;
  for (std::int64_t j = 0; j < count; ++j) {
    const T value = from[j];
    const bool absent = value == semiring::largest_value<T>();
    if constexpr (std::is_floating_point_v<T>) numbers &= value >= std::numeric_limits<T>::lowest();
    const T counted = absent || value == T{0} ? T{0} : value;
    low = std::min(low, counted);
    high = std::max(high, counted);
    to[j] = absent ? none : counted;
  }
  found = {low, high, found.numbers && numbers};
}

// The diagonal is the empty path, or a loop that is better: for sums, a negative one.
template <class T>
T taken_loop(T value, semiring::Algebra algebra, Found<T>& found) {
  if constexpr (std::is_floating_point_v<T>)
    if (!(value >= std::numeric_limits<T>::lowest())) found.numbers = false;
  if (algebra != semiring::Algebra::kMinPlus || !(value < T{0})) return semiring::empty_path<T>(algebra);
  found.low = std::min(found.low, value);
  return value;
}

template <class T>
bool within(const Found<T>& found, T largest) {
  if (found.high > largest) return false;
  // Sums with "no path" may be lower by up to twice the lowest distance (see apsp.facts.dtypes).
  if constexpr (std::is_signed_v<T>) return found.low >= -(largest / 2);
  return true;
}

// Whether sums of floats, some of them negative, may cancel; see searches/signed_floats.hpp. page: kernel
// values.
template <class T>
bool may_cancel(graph::Matrix<const T> page, Control& control) {
  const std::int64_t n = page.rows;
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices;
  std::vector<double> weights;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      if (!(page.row(i)[j] < semiring::Bounds<T>::kNoPath) || (i == j && page.row(i)[j] == T{0})) continue;
      indices.push_back(static_cast<std::int32_t>(j));
      weights.push_back(static_cast<double>(page.row(i)[j]));
    }
    indptr.push_back(static_cast<std::int64_t>(indices.size()));
  }
  const graph::Csr graph{n, indptr.data(), indices.data(), static_cast<std::int64_t>(indices.size()),
                         nullptr};
  const double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  return searches::has_cancelling_cycle(graph, weights.data(), epsilon, control);
}

// Kernel values to public ones.
template <class T>
void publish(T* row, std::int64_t count, semiring::Algebra algebra) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    if (algebra != semiring::Algebra::kMinPlus) return;
    for (std::int64_t j = 0; j < count; ++j)
      row[j] = row[j] >= semiring::Bounds<T>::kLimit ? semiring::largest_value<T>() : row[j];
  }
}

template <class T>
std::int64_t closed_of(graph::Matrix<T> page, semiring::Algebra algebra, bool nonnegative, Buffer<T>& scratch,
                       Control& control) {
  if (page.rows > kOneTile) {
    Team alone(1);
    Control unwatched;
    control.check();
    return floyd_warshall::close<T>(page, algebra, nonnegative, alone, unwatched);
  }
  if (page.rows == 0) return -1;
  return floyd_warshall::kernels<T>(algebra, nonnegative)
      .close(page.data, page.stride, page.rows, scratch.get());
}

template <class T>
std::int32_t close_one(const T* from, std::int64_t from_stride, graph::Matrix<T> to, std::int64_t size,
                       semiring::Algebra algebra, T largest, Buffer<T>& scratch, Control& control) {
  const graph::Matrix<T> page = to.block(0, size, 0, size);
  const T none = semiring::no_path<T>(algebra);
  Found<T> found;
  for (std::int64_t i = 0; i < size; ++i) {
    const T* row = from + i * from_stride;
    const T loop = row[i];
    take_in(row, page.row(i), i, none, found);
    page.row(i)[i] = taken_loop(loop, algebra, found);
    take_in(row + i + 1, page.row(i) + i + 1, size - i - 1, none, found);
  }
  if (!found.numbers) return kNoNumber;
  if (!within(found, largest)) return kOutOfRange;
  if constexpr (std::is_floating_point_v<T>)
    if (algebra == semiring::Algebra::kMinPlus && found.low < T{0} &&
        may_cancel<T>({page.data, page.rows, page.columns, page.stride}, control))
      return kUnproven;
  const std::int64_t bad = closed_of(page, algebra, found.low >= T{0}, scratch, control);
  if (bad >= 0) return static_cast<std::int32_t>(bad);
  const T outside = algebra == semiring::Algebra::kMinPlus ? semiring::largest_value<T>() : none;
  for (std::int64_t i = 0; i < to.rows; ++i) {
    const std::int64_t inside = i < size ? size : 0;
    publish(to.row(i), inside, algebra);
    std::fill(to.row(i) + inside, to.row(i) + to.columns, outside);
  }
  return kSound;
}

}  // namespace

template <class T>
void close_batch(Matrices<const T> from, Matrices<T> to, const std::int32_t* sizes, semiring::Algebra algebra,
                 T largest, std::int32_t* status, Team& team, Control& control) {
  const std::int64_t size = std::clamp<std::int64_t>(to.n, 1, kOneTile);
  std::vector<Buffer<T>> scratch;
  for (int member = 0; member < team.size(); ++member) scratch.push_back(buffer<T>(size * (size + 128)));
  team.parallel_for(to.count, [&](std::int64_t graph, int member) {
    control.check();
    const std::int64_t size = sizes == nullptr ? to.n : sizes[graph];
    status[graph] =
        close_one<T>(from.graph(graph), from.row_stride, {to.graph(graph), to.n, to.n, to.row_stride}, size,
                     algebra, largest, scratch[static_cast<std::size_t>(member)], control);
    control.advance(1);
  });
}

template <class T>
void check_signed(Matrices<const T> from, const std::int32_t* sizes, std::int32_t* status, Team& team,
                  Control& control) {
  team.parallel_for(from.count, [&](std::int64_t graph, int) {
    control.check();
    const std::int64_t size = sizes == nullptr ? from.n : sizes[graph];
    const bool cancels = may_cancel<T>({from.graph(graph), size, size, from.row_stride}, control);
    status[graph] = cancels ? kUnproven : kSound;
    control.advance(1);
  });
}

#define APSP_INSTANTIATE(T)                                                                            \
  template void close_batch(Matrices<const T>, Matrices<T>, const std::int32_t*, semiring::Algebra, T, \
                            std::int32_t*, Team&, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
template void check_signed(Matrices<const float>, const std::int32_t*, std::int32_t*, Team&, Control&);
template void check_signed(Matrices<const double>, const std::int32_t*, std::int32_t*, Team&, Control&);

}  // namespace apsp::batch
