// Binds cpp/product: products of matrices over semirings, batched.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cstdlib>

#include "bindings/arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "product/product.hpp"

namespace apsp::bindings {
namespace {

using Operand = nb::ndarray<nb::ro, Host>;
using Written = nb::ndarray<Host>;
using product::Matrices;

// The matrices of the last two axes, in the order of the others; axes may have stride 0.
template <class T, class Array>
Matrices<T> matrices_of(const Array& array) {
  const std::size_t axes = array.ndim();
  require(axes >= 2, "matrices have at least two axes");
  const auto rows = static_cast<std::int64_t>(array.shape(axes - 2)),
             columns = static_cast<std::int64_t>(array.shape(axes - 1));
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis + 2 < axes; ++axis) count *= static_cast<std::int64_t>(array.shape(axis));
  require(columns <= 1 || rows == 0 || count == 0 || array.stride(axes - 1) == 1, "rows must be contiguous");
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(count));
  std::int64_t inner = 1;
  for (std::size_t axis = axes - 2; axis-- > 0 && count > 0;) {
    const auto length = static_cast<std::int64_t>(array.shape(axis));
    for (std::int64_t index = 0; index < count; ++index)
      offsets[static_cast<std::size_t>(index)] += index / inner % length * array.stride(axis);
    inner *= length;
  }
  return {reinterpret_cast<T*>(array.data()), std::move(offsets), rows, columns,
          rows > 1 ? static_cast<std::int64_t>(array.stride(axes - 2)) : columns};
}

// Threads that are worth their start, which takes as long as some steps do.
int useful(std::int64_t count, std::int64_t steps, double steps_per_thread, int threads) {
  const double total = static_cast<double>(count) * static_cast<double>(steps);
  return static_cast<int>(
      std::clamp(total / steps_per_thread, 1.0, static_cast<double>(std::max(threads, 1))));
}
constexpr double kPairsPerThread = 1 << 23;    // 150 microseconds
constexpr double kEntriesPerThread = 1 << 20;  // 100 microseconds or more, by the memory
constexpr std::int64_t kPairsPerStep = 16;     // of brief work: vectors

void require_shapes(std::int64_t count, std::int64_t rows, std::int64_t columns, std::int64_t other_count,
                    std::int64_t other_rows, std::int64_t other_columns) {
  require(count == other_count && rows == other_rows && columns == other_columns,
          "the shapes must be c (..., m, n), a (..., m, k), b (..., k, n)");
}

template <class T, class Multiply>
void run(const Operand& a, const Operand& b, const Written& c, const std::optional<Written>& via, int threads,
         const Multiply& multiply) {
  const auto left = matrices_of<const T>(a);
  const auto right = matrices_of<const T>(b);
  const auto result = matrices_of<T>(c);
  require_shapes(left.count(), left.rows, right.columns, result.count(), result.rows, result.columns);
  require_shapes(right.count(), right.rows, 0, result.count(), left.columns, 0);
  std::optional<Matrices<std::int32_t>> pivots;
  if (via) {
    require(via->dtype() == nb::dtype<std::int32_t>(), "via must be int32");
    pivots = matrices_of<std::int32_t>(*via);
    require_shapes(pivots->count(), pivots->rows, pivots->columns, result.count(), result.rows,
                   result.columns);
  }
  const std::int64_t pairs = result.rows * result.columns * std::max<std::int64_t>(left.columns, 1);
  run_monitored(
      nb::none(),
      [&](Control& control) {
        Team team(useful(result.count(), pairs, kPairsPerThread, threads));
        multiply(left, right, result, pivots ? &*pivots : nullptr, team, control);
      },
      result.count(), pairs / kPairsPerStep);
}

void multiply(const Operand& a, const Operand& b, const Written& c, const std::optional<Written>& via,
              const std::string& semiring, bool nonnegative, int threads) {
  require(a.dtype() == c.dtype() && b.dtype() == c.dtype(), "the three matrices must have the same dtype");
  if (semiring == "or_and") {
    require(c.dtype() == nb::dtype<bool>(), "the Boolean product takes booleans");
    run<bool>(a, b, c, via, threads, [](auto&&... each) { product::multiply_bits(each...); });
    return;
  }
  const auto kind = product::semiring_from_name(semiring);
  with_distance_type(c, [&]<class T>(T) {
    run<T>(a, b, c, via, threads,
           [&](const auto& left, const auto& right, const auto& result, const auto* pivots, Team& team,
               Control& control) {
             product::multiply<T>(left, right, result, pivots, kind, nonnegative, team, control);
           });
  });
}

Tuple<Number, Number, bool> entries(const Operand& operand, const std::string& semiring, int threads) {
  const auto kind = product::semiring_from_name(semiring);
  return with_distance_type(operand, [&]<class T>(T) -> Tuple<Number, Number, bool> {
    const auto view = matrices_of<const T>(operand);
    product::Entries<T> found;
    const std::int64_t rows = view.count() * view.rows;
    run_monitored(
        nb::none(),
        [&](Control& control) {
          Team team(useful(rows, view.columns, kEntriesPerThread, threads));
          found = product::entries<T>(view, kind, team, control);
        },
        rows, view.columns);
    return nb::make_tuple(found.low, found.high, found.numbers);
  });
}

}  // namespace

void bind_product(nb::module_& m) {
  using namespace nb::literals;
  m.def("product", &multiply, "a"_a, "b"_a, "c"_a, "via"_a.none(), "semiring"_a, "nonnegative"_a, "threads"_a,
        "Products of matrices over a semiring, public values in and out.");
  m.def("product_entries", &entries, "operand"_a, "semiring"_a, "threads"_a,
        "The lowest and the highest entry that is a path, and whether all entries are numbers.");
}

}  // namespace apsp::bindings
