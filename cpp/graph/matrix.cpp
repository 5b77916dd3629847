#include "graph/matrix.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <vector>

#include "runtime/dtypes.hpp"

namespace apsp::graph {
namespace {

constexpr std::int64_t kRowsAtOnce = 16;

template <class Body>
void for_rows(std::int64_t rows, Team& team, Control& control, const Body& body) {
  team.parallel_for((rows + kRowsAtOnce - 1) / kRowsAtOnce, [&](std::int64_t index, int) {
    control.check();
    for (std::int64_t i = index * kRowsAtOnce; i < std::min(rows, (index + 1) * kRowsAtOnce); ++i) body(i);
  });
}

template <class T>
T better(T a, T b, semiring::Algebra algebra) {
  return algebra == semiring::Algebra::kMaxMin ? std::max(a, b) : std::min(a, b);
}

template <class T>
void choose_run(const T* weights, std::int64_t count, semiring::Algebra algebra, T* row) {
  if (algebra == semiring::Algebra::kMaxMin) {
    for (std::int64_t j = 0; j < count; ++j) row[j] = std::max(row[j], weights[j]);
  } else {
    for (std::int64_t j = 0; j < count; ++j) row[j] = std::min(row[j], weights[j]);
  }
}

template <class T>
T joined(T a, T b, semiring::Algebra algebra) {
  if (algebra == semiring::Algebra::kMaxMin) return std::min(a, b);
  if (algebra == semiring::Algebra::kMinMax) return std::max(a, b);
  if constexpr (sizeof(T) == 2) return static_cast<T>(std::min(65535, int{a} + int{b}));
  return static_cast<T>(a + b);
}

}  // namespace

template <class T>
void fill(Matrix<T> page, std::int64_t row_from, std::int64_t column_from, const WeightedArcs& arcs,
          semiring::Algebra algebra, const bool* closed, Team& team, Control& control) {
  const T none = semiring::no_path<T>(algebra), empty = semiring::empty_path<T>(algebra);
  for_rows(page.rows, team, control, [&](std::int64_t i) {
    T* row = page.row(i);
    std::fill_n(row, page.columns, none);
    const std::int64_t vertex = row_from + i;
    const auto inside = [&](std::int64_t column) { return column >= 0 && column < page.columns; };
    if (inside(vertex - column_from)) row[vertex - column_from] = empty;
    if (closed != nullptr && closed[vertex]) return;
    T weights[kRunLength];
    for (std::int64_t first = arcs.begin(vertex); first < arcs.end(vertex); first += kRunLength) {
      const std::int64_t count = std::min(kRunLength, arcs.end(vertex) - first);
      read_weights(arcs, algebra, first, count, weights);
      const std::int64_t column = arcs.indices[first] - column_from;
      if (inside(column) && inside(column + count - 1) && consecutive(arcs.indices + first, count)) {
        choose_run(weights, count, algebra, row + column);
        continue;
      }
      check_heads(arcs, first, count);
      for (std::int64_t arc = 0; arc < count; ++arc) {
        const std::int64_t at = arcs.indices[first + arc] - column_from;
        if (inside(at)) row[at] = better(row[at], weights[arc], algebra);
      }
    }
  });
}

template <class T>
bool finish(Matrix<T> page, semiring::Algebra algebra, bool nonnegative, Team& team, Control& control) {
  if constexpr (!std::is_integral_v<T> || std::is_unsigned_v<T>) {
    return true;  // the kernels' value is the public one
  } else {
    if (algebra != semiring::Algebra::kMinPlus) return true;
    constexpr T kLimit = semiring::Bounds<T>::kLimit, kNoPath = semiring::Bounds<T>::kNoPath;
    const T threshold = nonnegative ? kNoPath : kLimit;
    std::atomic<bool> in_range{true};
    for_rows(page.rows, team, control, [&](std::int64_t i) {
      T* row = page.row(i);
      T least = 0, most = 0;
      for (std::int64_t j = 0; j < page.columns; ++j) {
        least = std::min(least, row[j]);
        most = std::max(most, row[j]);
      }
      if (least <= -kLimit) in_range.store(false, std::memory_order_relaxed);
      if (most < threshold) return;  // nothing to write
      for (std::int64_t j = 0; j < page.columns; ++j)
        row[j] = row[j] >= threshold ? semiring::largest_value<T>() : row[j];
    });
    return in_range.load();
  }
}

template <class T>
void extend_closed_rows(Matrix<T> matrix, const WeightedArcs& arcs, semiring::Algebra algebra,
                        const bool* closed, Team& team, Control& control) {
  std::vector<std::int64_t> vertices;
  for (std::int64_t v = 0; v < matrix.rows; ++v)
    if (closed[v]) vertices.push_back(v);
  team.parallel_for(static_cast<std::int64_t>(vertices.size()), [&](std::int64_t index, int) {
    const std::int64_t tail = vertices[index];
    T* row = matrix.row(tail);
    for (std::int64_t arc = arcs.begin(tail); arc < arcs.end(tail); ++arc) {
      control.check();
      T weight;
      read_weights(arcs, algebra, arc, 1, &weight);
      const std::int64_t head = arcs.indices[arc];
      row[head] = better(row[head], weight, algebra);
      if (closed[head]) continue;  // the path ends there, and its row may be changing
      const T* further = matrix.row(head);
      for (std::int64_t j = 0; j < matrix.columns; ++j) {
        if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {  // no path: see algebra.hpp
          if (algebra == semiring::Algebra::kMinPlus && further[j] >= semiring::Bounds<T>::kLimit) continue;
        }
        row[j] = better(row[j], joined(weight, further[j], algebra), algebra);
      }
    }
  });
}

#define APSP_INSTANTIATE(T)                                                                               \
  template void fill(Matrix<T>, std::int64_t, std::int64_t, const WeightedArcs&, semiring::Algebra,       \
                     const bool*, Team&, Control&);                                                       \
  template bool finish(Matrix<T>, semiring::Algebra, bool, Team&, Control&);                              \
  template void extend_closed_rows(Matrix<T>, const WeightedArcs&, semiring::Algebra, const bool*, Team&, \
                                   Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::graph
