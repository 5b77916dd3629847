// apsp._cpu: numbers of groups of columns, and sums of products, from rows of distances.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "bindings/arrays.hpp"
#include "bindings/distance_rows.hpp"
#include "bindings/monitor.hpp"
#include "reductions/groups.hpp"
#include "reductions/moments.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace apsp::bindings {
namespace {

template <class T>
using AnyOutput = nb::ndarray<T, nb::c_contig, Host>;

template <class T>
void require_size(const AnyOutput<T>& array, std::int64_t size, const char* name) {
  require(static_cast<std::int64_t>(array.size()) == size,
          std::string(name) + " must have " + std::to_string(size) + " elements");
}

template <class T>
reductions::Groups groups_of(const reductions::DistanceRows<T>& rows, const Vector<std::int32_t>& order,
                             const Vector<std::int64_t>& starts, const Vector<std::int64_t>& own) {
  const auto count = static_cast<std::int64_t>(starts.shape(0)) - 1;
  require(count >= 0 && starts.data()[0] == 0 && std::is_sorted(starts.data(), starts.data() + count + 1) &&
              starts.data()[count] == static_cast<std::int64_t>(order.shape(0)),
          "starts must ascend from 0 to the number of columns in order");
  require_shape(own, rows.rows, "own");
  const auto listed = static_cast<std::int64_t>(order.shape(0));
  require(std::all_of(order.data(), order.data() + listed,
                      [&](std::int32_t column) { return column >= 0 && column < rows.columns; }),
          "order must hold columns");
  require(std::all_of(own.data(), own.data() + rows.rows, [&](std::int64_t place) { return place < listed; }),
          "own must hold places in order");
  return {order.data(), starts.data(), count, own.data()};
}

template <class T, class Work>
void run(const reductions::DistanceRows<T>& rows, const Work& work) {
  run_monitored(nb::none(), work, rows.rows, rows.columns);
}

template <class T>
void reduce_groups(const Rows<const T>& dist, const Vector<std::int32_t>& order,
                   const Vector<std::int64_t>& starts, const Vector<std::int64_t>& own,
                   const AnyOutput<std::int64_t>& reached, const AnyOutput<reductions::Sum<T>>& total,
                   const AnyOutput<T>& least, const AnyOutput<T>& largest, int threads) {
  const auto rows = rows_of<T>(dist);
  const auto groups = groups_of(rows, order, starts, own);
  const std::int64_t size = rows.rows * groups.count;
  require_size(reached, size, "reached");
  require_size(total, size, "total");
  require_size(least, size, "least");
  require_size(largest, size, "largest");
  const reductions::GroupNumbers<T> numbers{reached.data(), total.data(), least.data(), largest.data()};
  bool overflow = false;
  run<T>(rows, [&](Control& control) {
    overflow = reductions::reduce_groups<T>(rows, groups, numbers, useful(rows, threads), control);
  });
  if (overflow) throw std::overflow_error("the sum of the distances of a source does not fit int64");
}

template <class T, class Bins>
void count(const Rows<const T>& dist, const Vector<std::int32_t>& order, const Vector<std::int64_t>& starts,
           const Vector<std::int64_t>& own, const Vector<std::int32_t>& cells, const Bins& bins,
           std::int64_t per_group, const nb::ndarray<std::int64_t, nb::c_contig, Host>& counts, int threads) {
  const auto rows = rows_of<T>(dist);
  const auto groups = groups_of(rows, order, starts, own);
  require_shape(cells, rows.rows, "cells");
  const std::int64_t per_cell = groups.count * per_group;
  require(per_cell == 0 || static_cast<std::int64_t>(counts.size()) % per_cell == 0,
          "counts must have whole cells");
  const std::int64_t all = per_cell == 0 ? 0 : static_cast<std::int64_t>(counts.size()) / per_cell;
  require(std::all_of(cells.data(), cells.data() + rows.rows,
                      [&](std::int32_t cell) { return cell < all || per_cell == 0; }),
          "cells must be those of counts");
  run<T>(rows, [&](Control& control) {
    reductions::count_groups<T>(rows, groups, cells.data(), bins, counts.data(), useful(rows, threads),
                                control);
  });
}

template <class T>
void count_groups_evenly(const Rows<const T>& dist, const Vector<std::int32_t>& order,
                         const Vector<std::int64_t>& starts, const Vector<std::int64_t>& own,
                         const Vector<std::int32_t>& cells, int exponent, std::int64_t bins,
                         const AnyOutput<std::int64_t>& counts, int threads) {
  require(bins >= 1, "bins must be at least 1");
  count<T>(dist, order, starts, own, cells, reductions::EvenBins{exponent, bins}, 2 * bins, counts, threads);
}

template <class T>
void count_groups_between(const Rows<const T>& dist, const Vector<std::int32_t>& order,
                          const Vector<std::int64_t>& starts, const Vector<std::int64_t>& own,
                          const Vector<std::int32_t>& cells, const Vector<double>& edges,
                          const AnyOutput<std::int64_t>& counts, int threads) {
  const auto bins = static_cast<std::int64_t>(edges.shape(0)) - 1;
  require(bins >= 1 && std::is_sorted(edges.data(), edges.data() + bins + 1), "edges must increase");
  count<T>(dist, order, starts, own, cells, reductions::EdgeBins{edges.data(), bins}, bins, counts, threads);
}

template <class T>
void count_groups_in_windows(const Rows<const T>& dist, const Vector<std::int32_t>& order,
                             const Vector<std::int64_t>& starts, const Vector<std::int64_t>& own,
                             const Vector<std::int32_t>& cells, const AnyOutput<const std::int64_t>& lows,
                             std::int64_t windows, int shift, std::int64_t bins,
                             const AnyOutput<std::int64_t>& counts, int threads) {
  require(bins >= 1 && windows >= 1 && shift >= 0 && shift < 64, "windows need bins and a shift below 64");
  require(static_cast<std::int64_t>(lows.size()) * bins == static_cast<std::int64_t>(counts.size()),
          "lows must have an element per window");
  count<T>(dist, order, starts, own, cells, reductions::KeyWindows{lows.data(), windows, shift, bins},
           windows * bins, counts, threads);
}

template <class T>
void quantiles_of_groups(const Rows<const T>& dist, const Vector<std::int32_t>& order,
                         const Vector<std::int64_t>& starts, const Vector<std::int64_t>& own,
                         const Vector<double>& shares, const AnyOutput<T>& quantiles, int threads) {
  const auto rows = rows_of<T>(dist);
  const auto groups = groups_of(rows, order, starts, own);
  const auto count = static_cast<std::int64_t>(shares.shape(0));
  require(std::is_sorted(shares.data(), shares.data() + count), "shares must ascend");
  require_size(quantiles, rows.rows * groups.count * count, "quantiles");
  run<T>(rows, [&](Control& control) {
    reductions::quantiles_of_groups<T>(rows, groups, shares.data(), count, quantiles.data(),
                                       useful(rows, threads), control);
  });
}

template <class T>
using Moment = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

template <class T>
void moments(const Rows<const T>& dist, const std::optional<Vector<std::int64_t>>& factors,
             const std::optional<AnyOutput<Moment<T>>>& squares,
             const std::optional<AnyOutput<Moment<T>>>& weighted, int threads) {
  const auto rows = rows_of<T>(dist);
  const std::int64_t size = rows.rows * (std::is_floating_point_v<T> ? 1 : 2);
  if (squares) require_size(*squares, size, "squares");
  require(weighted.has_value() == factors.has_value(), "weighted sums need factors");
  if (weighted) require_size(*weighted, size, "weighted");
  if (factors) {
    require_shape(*factors, rows.columns, "factors");
    require(std::all_of(factors->data(), factors->data() + rows.columns,
                        [](std::int64_t factor) { return factor >= 0 && factor < std::int64_t{1} << 31; }),
            "factors must be from 0 to 2^31 - 1");
  }
  Moment<T>* of_squares = squares ? squares->data() : nullptr;
  Moment<T>* of_products = weighted ? weighted->data() : nullptr;
  run<T>(rows, [&](Control& control) {
    if constexpr (std::is_floating_point_v<T>)
      reductions::float_moments<T>(rows, data_or_null(factors), of_squares, of_products,
                                   useful(rows, threads), control);
    else
      reductions::integer_moments<T>(rows, data_or_null(factors), of_squares, of_products,
                                     useful(rows, threads), control);
  });
}

template <class T>
void bind_group_kernels(nb::module_& m) {
  const auto dist = nb::arg("dist").noconvert();
  const auto order = nb::arg("order").noconvert(), starts = nb::arg("starts").noconvert(),
             own = nb::arg("own").noconvert(), cells = nb::arg("cells").noconvert(),
             counts = nb::arg("counts").noconvert();
  m.def("reduce_groups", &reduce_groups<T>, dist, order, starts, own, nb::arg("reached").noconvert(),
        nb::arg("total").noconvert(), nb::arg("least").noconvert(), nb::arg("largest").noconvert(),
        "threads"_a, "Sums and extremes of every row over every group of columns.");
  m.def("count_groups_evenly", &count_groups_evenly<T>, dist, order, starts, own, cells, "exponent"_a,
        "bins"_a, counts, "threads"_a,
        "Adds the rows to counts per cell, group and bin of width 2^exponent.");
  m.def("count_groups_between", &count_groups_between<T>, dist, order, starts, own, cells,
        nb::arg("edges").noconvert(), counts, "threads"_a,
        "Adds the rows to counts per cell, group and bin between edges.");
  m.def("count_groups_in_windows", &count_groups_in_windows<T>, dist, order, starts, own, cells,
        nb::arg("lows").noconvert(), "windows"_a, "shift"_a, "bins"_a, counts, "threads"_a,
        "Adds the rows to counts per cell, group, window of keys and bin of 2^shift keys.");
  m.def("quantiles_of_groups", &quantiles_of_groups<T>, dist, order, starts, own,
        nb::arg("shares").noconvert(), nb::arg("quantiles").noconvert(), "threads"_a,
        "Quantiles of the distances of every row to every group of columns.");
  m.def("moments", &moments<T>, dist, nb::arg("factors").noconvert().none(),
        nb::arg("squares").noconvert().none(), nb::arg("weighted").noconvert().none(), "threads"_a,
        "Sums over every row of squared distances, and of distances times factors.");
}

}  // namespace

void bind_groups(nb::module_& m) {
  bind_group_kernels<std::uint16_t>(m);
  bind_group_kernels<std::int32_t>(m);
  bind_group_kernels<std::int64_t>(m);
  bind_group_kernels<float>(m);
  bind_group_kernels<double>(m);
}

}  // namespace apsp::bindings
