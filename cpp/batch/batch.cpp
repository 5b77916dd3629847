#include "batch/batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "batch/float_paths.hpp"
#include "batch/kernels.hpp"
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
  const ArcList<T> arcs(page);
  const double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  return searches::has_cancelling_cycle(arcs.graph(), arcs.weights.data(), epsilon, control);
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
  // Not of half the range: "no path" would have to be restored.
  const auto& kernels = floyd_warshall::kernels<T>(algebra, nonnegative);
  if (page.rows > kOneTile) {
    Team alone(1);
    Control unwatched;
    control.check();
    return floyd_warshall::close(page, kernels, alone, unwatched);
  }
  if (page.rows == 0) return -1;
  return kernels.close(page.data, page.stride, page.rows, scratch.get());
}

// The arcs of a graph as kernel values. Returns kSound, or why they cannot be closed.
template <class T>
std::int32_t take_graph(const T* from, std::int64_t from_stride, graph::Matrix<T> page,
                        semiring::Algebra algebra, T largest, Found<T>& found, Control& control) {
  const T none = semiring::no_path<T>(algebra);
  for (std::int64_t i = 0; i < page.rows; ++i) {
    const T* row = from + i * from_stride;
    const T loop = row[i];
    take_in(row, page.row(i), i, none, found);
    page.row(i)[i] = taken_loop(loop, algebra, found);
    take_in(row + i + 1, page.row(i) + i + 1, page.rows - i - 1, none, found);
  }
  if (!found.numbers) return kNoNumber;
  if (!within(found, largest)) return kOutOfRange;
  if constexpr (std::is_floating_point_v<T>)
    if (algebra == semiring::Algebra::kMinPlus && found.low < T{0} &&
        may_cancel<T>({page.data, page.rows, page.columns, page.stride}, control))
      return kUnproven;
  return kSound;
}

// The value of padding, which is a public one.
template <class T>
T outside(semiring::Algebra algebra) {
  return algebra == semiring::Algebra::kMinPlus ? semiring::largest_value<T>()
                                                : semiring::no_path<T>(algebra);
}

template <class T>
std::int32_t close_one(const T* from, std::int64_t from_stride, graph::Matrix<T> to, std::int64_t size,
                       semiring::Algebra algebra, T largest, Buffer<T>& scratch, Control& control) {
  const graph::Matrix<T> page = to.block(0, size, 0, size);
  Found<T> found;
  const std::int32_t status = take_graph(from, from_stride, page, algebra, largest, found, control);
  if (status != kSound) return status;
  const std::int64_t bad = closed_of(page, algebra, found.low >= T{0}, scratch, control);
  if (bad >= 0) return static_cast<std::int32_t>(bad);
  for (std::int64_t i = 0; i < to.rows; ++i) {
    const std::int64_t inside = i < size ? size : 0;
    publish(to.row(i), inside, algebra);
    std::fill(to.row(i) + inside, to.row(i) + to.columns, outside<T>(algebra));
  }
  return kSound;
}

// The matrices of one graph with predecessors, by one thread.
template <class T>
struct TrackedScratch {
  Buffer<T> dist;
  Buffer<Number<T>> pred;

  explicit TrackedScratch(std::int64_t n)
      : dist(buffer<T>(n * width(n))), pred(buffer<Number<T>>(n * width(n))) {}

  static std::int64_t width(std::int64_t n) {
    constexpr std::int64_t kLine = kLineBytes / static_cast<std::int64_t>(sizeof(T));
    return (n + kLine - 1) / kLine * kLine;
  }
  Tracked<T> matrix(std::int64_t size) const { return {dist.get(), pred.get(), size, width(size)}; }
};

// The rest of the rows of lengths, and the tails of single arcs. What the kernel reads where there is no path
// is not published.
template <class T>
void start_tracking(const Tracked<T>& matrix, semiring::Algebra algebra) {
  for (std::int64_t i = 0; i < matrix.size; ++i) {
    T* row = matrix.dist + i * matrix.width;
    std::fill(row + matrix.size, row + matrix.width, semiring::no_path<T>(algebra));
    Number<T>* before = matrix.pred + i * matrix.width;
    std::fill(before, before + matrix.width, static_cast<Number<T>>(i));
  }
}

template <class T>
void publish_tracked(const Tracked<T>& matrix, graph::Matrix<T> to, graph::Matrix<std::int32_t> pred,
                     semiring::Algebra algebra) {
  const T none = outside<T>(algebra);
  for (std::int64_t i = 0; i < to.rows; ++i) {
    const std::int64_t inside = i < matrix.size ? matrix.size : 0;
    const T* dist = matrix.dist + i * matrix.width;
    const Number<T>* before = matrix.pred + i * matrix.width;
    T* dist_row = to.row(i);
    std::int32_t* pred_row = pred.row(i);
    if (algebra == semiring::Algebra::kMinPlus) {
      for (std::int64_t j = 0; j < inside; ++j) {
        const bool reached = dist[j] < semiring::Bounds<T>::kLimit;
        dist_row[j] = reached ? dist[j] : none;
        pred_row[j] = reached ? static_cast<std::int32_t>(before[j]) : -1;
      }
    } else {
      for (std::int64_t j = 0; j < inside; ++j) {
        dist_row[j] = dist[j];
        pred_row[j] = dist[j] == none ? -1 : static_cast<std::int32_t>(before[j]);
      }
    }
    if (i < inside) pred_row[i] = -1;
    std::fill(dist_row + inside, dist_row + to.columns, none);
    std::fill(pred_row + inside, pred_row + to.columns, -1);
  }
}

template <class T>
std::int32_t close_one_tracked(const T* from, std::int64_t from_stride, graph::Matrix<T> to,
                               graph::Matrix<std::int32_t> pred, std::int64_t size, semiring::Algebra algebra,
                               T largest, const TrackedScratch<T>& scratch, Control& control) {
  const Tracked<T> matrix = scratch.matrix(size);
  Found<T> found;
  const std::int32_t status = take_graph(from, from_stride, {matrix.dist, size, size, matrix.width}, algebra,
                                         largest, found, control);
  if (status != kSound) return status;
  start_tracking(matrix, algebra);
  const std::int64_t bad = close_tracked(matrix, algebra);
  if (bad >= 0) return static_cast<std::int32_t>(bad);
  publish_tracked(matrix, to, pred, algebra);
  if constexpr (std::is_floating_point_v<T>)
    if (algebra == semiring::Algebra::kMinPlus &&
        !paths_fit<T>({from, size, size, from_stride}, {to.data, size, size, to.stride},
                      {pred.data, size, size, pred.stride}, found.low < T{0}))
      return kUnproven;
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
void close_batch_tracked(Matrices<const T> from, Matrices<T> to, Matrices<std::int32_t> pred,
                         const std::int32_t* sizes, semiring::Algebra algebra, T largest,
                         std::int32_t* status, Team& team, Control& control) {
  std::vector<TrackedScratch<T>> scratch;
  for (int member = 0; member < team.size(); ++member) scratch.emplace_back(to.n);
  team.parallel_for(to.count, [&](std::int64_t graph, int member) {
    control.check();
    const std::int64_t size = sizes == nullptr ? to.n : sizes[graph];
    status[graph] =
        close_one_tracked<T>(from.graph(graph), from.row_stride, {to.graph(graph), to.n, to.n, to.row_stride},
                             {pred.graph(graph), pred.n, pred.n, pred.row_stride}, size, algebra, largest,
                             scratch[static_cast<std::size_t>(member)], control);
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
                            std::int32_t*, Team&, Control&);                                           \
  template void close_batch_tracked(Matrices<const T>, Matrices<T>, Matrices<std::int32_t>,            \
                                    const std::int32_t*, semiring::Algebra, T, std::int32_t*, Team&,   \
                                    Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
template void check_signed(Matrices<const float>, const std::int32_t*, std::int32_t*, Team&, Control&);
template void check_signed(Matrices<const double>, const std::int32_t*, std::int32_t*, Team&, Control&);

}  // namespace apsp::batch
