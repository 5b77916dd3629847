#include "reductions/small_components.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "reductions/kernels.hpp"
#include "runtime/team.hpp"
#include "semiring/length.hpp"

namespace apsp::reductions {
namespace {

constexpr std::int64_t kPerTask = 1 << 12;  // vertices

// Integers are added without a sign, so that a sum of two, of which one may be "no path", does not wrap.
template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, T,
                                std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;
template <class T>
constexpr Wide<T> kNone = static_cast<Wide<T>>(semiring::kNoPath<T>);

// The distances within a component of k vertices, row by row.
template <class T>
using Square = std::array<Wide<T>, kLargestSmall * kLargestSmall>;

template <class T>
void read_arcs(const Components<T>& components, std::int64_t begin, std::int64_t k, Square<T>& square) {
  std::fill_n(square.data(), k * k, kNone<T>);
  for (std::int64_t i = 0; i < k; ++i) {
    Wide<T>* row = square.data() + i * k;
    for (std::int64_t arc = components.indptr[begin + i]; arc < components.indptr[begin + i + 1]; ++arc) {
      const auto weight = components.weights ? static_cast<Wide<T>>(components.weights[arc]) : Wide<T>{1};
      Wide<T>& entry = row[components.indices[arc] - begin];
      entry = std::min(entry, weight);
    }
    row[i] = 0;
  }
}

template <class T>
void close(std::int64_t k, Square<T>& square) {
  for (std::int64_t pivot = 0; pivot < k; ++pivot) {
    const Wide<T>* through = square.data() + pivot * k;
    for (std::int64_t i = 0; i < k; ++i) {
      Wide<T>* row = square.data() + i * k;
      const Wide<T> before = row[pivot];
      if (before == kNone<T>) continue;
      for (std::int64_t j = 0; j < k; ++j) row[j] = std::min<Wide<T>>(row[j], before + through[j]);
    }
  }
}

template <class T>
void reduce(const Components<T>& components, std::int64_t begin, std::int64_t k, const Square<T>& square,
            RowNumbers<T>* numbers) {
  const Kernels<T>& loops = kernels<T>();
  std::array<T, kLargestSmall> row;
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < k; ++j) {
      const Wide<T> distance = square[i * k + j];
      row[j] = distance <= static_cast<Wide<T>>(components.cutoff) ? static_cast<T>(distance)
                                                                   : semiring::kNoPath<T>;
    }
    loops.row(row.data(), k, true, numbers[begin + i]);
    numbers[begin + i].farthest += begin;
  }
}

}  // namespace

template <class T>
void small_components(const Components<T>& components, RowNumbers<T>* numbers, int threads,
                      Control& control) {
  Team team(threads);
  const std::int64_t n = components.first[components.count], tasks = (n + kPerTask - 1) / kPerTask;
  team.parallel_for(tasks, [&](std::int64_t task, int) {
    const auto* end = components.first + components.count;
    const auto* c = std::lower_bound(components.first, end, task * kPerTask);
    const auto* last = std::lower_bound(components.first, end, (task + 1) * kPerTask);
    Square<T> square;
    for (; c < last; ++c) {
      control.check();
      const std::int64_t begin = c[0], k = c[1] - c[0];
      read_arcs(components, begin, k, square);
      close<T>(k, square);
      reduce(components, begin, k, square, numbers);
    }
  });
}

#define APSP_INSTANTIATE(T) \
  template void small_components<T>(const Components<T>&, RowNumbers<T>*, int, Control&);
APSP_INSTANTIATE(float)
APSP_INSTANTIATE(double)
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
APSP_INSTANTIATE(std::uint16_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::reductions
