#include "published/plain_floyd_warshall.hpp"

#include <algorithm>

#include "runtime/dtypes.hpp"

namespace apsp::published {
namespace {

// Rows (or columns, or pivots) from .. to - 1.
struct Span {
  std::int64_t from, to;
};

// page[i, j] = min(page[i, j], page[i, k] + page[k, j]) for one pivot. 16 bits are added as int, so no sum
// wraps.
template <class T>
void relax_through(graph::Matrix<T> page, std::int64_t k, Span rows, Span columns) {
  const T* onward = page.data + k * page.stride;
  for (std::int64_t i = rows.from; i < rows.to; ++i) {
    T* row = page.data + i * page.stride;
    const T first = row[k];
    for (std::int64_t j = columns.from; j < columns.to; ++j) {
      const auto sum = first + onward[j];
      if (sum < row[j]) row[j] = static_cast<T>(sum);
    }
  }
}

// Whether the pivot lies on a negative cycle.
template <class T>
bool is_negative(graph::Matrix<T> page, std::int64_t k) {
  return page.data[k * page.stride + k] < T(0);
}

}  // namespace

template <class T>
std::int64_t close_sequential(graph::Matrix<T> page, Control& control) {
  const Span all{0, page.rows};
  for (std::int64_t k = 0; k < page.rows; ++k) {
    control.check();
    if (is_negative(page, k)) return k;
    relax_through(page, k, all, all);
    control.advance(1);
  }
  return -1;
}

template <class T>
std::int64_t close_blocked(graph::Matrix<T> page, std::int64_t block, Control& control) {
  const std::int64_t n = page.rows;
  const auto span_at = [&](std::int64_t from) { return Span{from, std::min(from + block, n)}; };
  const auto relax_block = [&](Span pivots, Span rows, Span columns) {
    control.check();
    for (std::int64_t k = pivots.from; k < pivots.to; ++k) relax_through(page, k, rows, columns);
  };
  for (std::int64_t p = 0; p < n; p += block) {
    const Span pivots = span_at(p);
    for (std::int64_t k = pivots.from; k < pivots.to; ++k) {
      if (is_negative(page, k)) return k;
      relax_through(page, k, pivots, pivots);
    }
    for (std::int64_t other = 0; other < n; other += block) {
      if (other == p) continue;
      relax_block(pivots, pivots, span_at(other));
      relax_block(pivots, span_at(other), pivots);
    }
    for (std::int64_t i = 0; i < n; i += block)
      for (std::int64_t j = 0; j < n; j += block)
        if (i != p && j != p) relax_block(pivots, span_at(i), span_at(j));
    control.advance(pivots.to - pivots.from);
  }
  return -1;
}

#define APSP_INSTANTIATE(T)                                              \
  template std::int64_t close_sequential<T>(graph::Matrix<T>, Control&); \
  template std::int64_t close_blocked<T>(graph::Matrix<T>, std::int64_t, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::published
