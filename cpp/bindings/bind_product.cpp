// Binds cpp/product: products of matrices over semirings, batched.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cstdlib>

#include "bindings/arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "floyd_warshall/variants.hpp"
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
int useful_for_pairs(std::int64_t count, std::int64_t steps, double steps_per_thread, int threads) {
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

template <class T>
struct Arguments {
  Matrices<const T> a, b;
  Matrices<T> c;
  std::optional<Matrices<std::int32_t>> via;

  Arguments(const Operand& left, const Operand& right, const Written& result,
            const std::optional<Written>& pivots)
      : a(matrices_of<const T>(left)), b(matrices_of<const T>(right)), c(matrices_of<T>(result)) {
    require_shapes(a.count(), a.rows, b.columns, c.count(), c.rows, c.columns);
    require_shapes(b.count(), b.rows, 0, c.count(), a.columns, 0);
    if (!pivots) return;
    require(pivots->dtype() == nb::dtype<std::int32_t>(), "via must be int32");
    via = matrices_of<std::int32_t>(*pivots);
    require_shapes(via->count(), via->rows, via->columns, c.count(), c.rows, c.columns);
  }
  const Matrices<std::int32_t>* pivots() const { return via ? &*via : nullptr; }
  std::int64_t pairs() const { return c.rows * c.columns * std::max<std::int64_t>(a.columns, 1); }
  std::int64_t steps() const { return pairs() / kPairsPerStep + a.rows * a.columns + b.rows * b.columns; }
  int useful_threads(int threads) const {
    return useful_for_pairs(c.count(), pairs(), kPairsPerThread, threads);
  }
};

template <class T, class Work>
void run(const Arguments<T>& given, int threads, const Work& work) {
  run_monitored(
      nb::none(),
      [&](Control& control) {
        Team team(given.useful_threads(threads));
        work(team, control);
      },
      given.c.count(), given.steps());
}

void require_one_dtype(const Operand& a, const Operand& b, const Written& c) {
  require(a.dtype() == c.dtype() && b.dtype() == c.dtype(), "the three matrices must have the same dtype");
}

void multiply(const Operand& a, const Operand& b, const Written& c, const std::optional<Written>& via,
              const std::string& semiring, bool nonnegative, int threads, bool half_range,
              const std::optional<std::string>& variant) {
  require_one_dtype(a, b, c);
  if (semiring == "or_and") {
    require(c.dtype() == nb::dtype<bool>(), "the Boolean product takes booleans");
    const Arguments<bool> given(a, b, c, via);
    run(given, threads, [&](Team& team, Control& control) {
      product::multiply_bits(given.a, given.b, given.c, given.pivots(), team, control);
    });
    return;
  }
  const auto kind = product::semiring_from_name(semiring);
  with_distance_type(c, [&]<class T>(T) {
    const Arguments<T> given(a, b, c, via);
    const auto& kernels =
        floyd_warshall::chosen<T>(product::algebra_of(kind), {nonnegative, half_range}, variant);
    run(given, threads, [&](Team& team, Control& control) {
      product::multiply<T>(given.a, given.b, given.c, given.pivots(), kind, kernels, team, control);
    });
  });
}

template <class T>
T largest(const product::Entries<T>& found) {
  if constexpr (std::is_signed_v<T>) return std::max<T>(found.high, static_cast<T>(T{0} - found.low));
  return found.high;
}

// Whether it is proven that no sum of two entries exceeds `most` in size.
template <class T>
bool sums_fit(const product::Entries<T>& a, const product::Entries<T>& b, T most) {
  for (const auto* each : {&a, &b})
    if (each->high > most || (std::is_signed_v<T> && each->low < static_cast<T>(T{0} - most))) return false;
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(largest(a)) + static_cast<double>(largest(b)) <= static_cast<double>(most);
  return largest(a) <= static_cast<T>(most - largest(b));
}

bool multiply_proven(const Operand& a, const Operand& b, const Written& c, const std::optional<Written>& via,
                     const std::string& semiring, const Number& most, int threads) {
  require_one_dtype(a, b, c);
  const auto kind = product::semiring_from_name(semiring);
  const bool is_sum = kind == product::Semiring::kMinPlus || kind == product::Semiring::kMaxPlus;
  bool is_proven = false;
  with_distance_type(c, [&]<class T>(T) {
    const Arguments<T> given(a, b, c, via);
    const T bound = number_as<T>(most);
    run(given, threads, [&](Team& team, Control& control) {
      const auto of_a = product::entries<T>(given.a, kind, team, control);
      const auto of_b = product::entries<T>(given.b, kind, team, control);
      is_proven = of_a.numbers && of_b.numbers && (!is_sum || sums_fit(of_a, of_b, bound));
      if (!is_proven) return;
      const bool nonnegative = kind == product::Semiring::kMinPlus && of_a.low >= T{0} && of_b.low >= T{0};
      const bool half_range = std::is_same_v<T, std::uint16_t> && bound < T{floyd_warshall::kHalfRange};
      const auto& kernels = floyd_warshall::kernels<T>(product::algebra_of(kind), {nonnegative, half_range});
      product::multiply<T>(given.a, given.b, given.c, given.pivots(), kind, kernels, team, control);
    });
  });
  return is_proven;
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
          Team team(useful_for_pairs(rows, view.columns, kEntriesPerThread, threads));
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
        "half_range"_a = false, "variant"_a.none() = nb::none(),
        "Products of matrices over a semiring, public values in and out.");
  m.def("product_proven", &multiply_proven, "a"_a, "b"_a, "c"_a, "via"_a.none(), "semiring"_a, "most"_a,
        "threads"_a,
        "The same if all entries are numbers and no sum can exceed `most`; False, and nothing, otherwise.");
  m.def("product_entries", &entries, "operand"_a, "semiring"_a, "threads"_a,
        "The lowest and the highest entry that is a path, and whether all entries are numbers.");
}

}  // namespace apsp::bindings
