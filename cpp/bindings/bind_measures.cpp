// apsp._cpu: numbers computed from rows of distances.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/distance_rows.hpp"
#include "bindings/monitor.hpp"
#include "bindings/weighings.hpp"
#include "reductions/far_pairs.hpp"
#include "reductions/forest_sums.hpp"
#include "reductions/nearest.hpp"
#include "reductions/rows.hpp"
#include "reductions/search_bounds.hpp"
#include "reductions/small_components.hpp"
#include "reductions/weigh.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace apsp::bindings {
namespace {

using AnyRows = nb::ndarray<nb::ro, nb::ndim<2>, Host>;
template <class T>
using Output = nb::ndarray<T, nb::ndim<1>, nb::c_contig, Host>;

// The same as useful for sums, which take less than a nanosecond per distance.
template <class T>
int useful_for_sums(const reductions::DistanceRows<T>& rows, int threads) {
  return is_short(rows.rows, rows.columns) ? 1 : threads;
}

// Writes the numbers of rows to their arrays; OverflowError if a sum does not fit.
template <class T>
void write_numbers(const std::vector<reductions::RowNumbers<T>>& numbers,
                   const Output<std::int64_t>& reachable, const Output<reductions::Sum<T>>& total,
                   double* reciprocals, const Output<T>& largest, const Output<std::int32_t>& farthest) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& row = numbers[i];
    if (row.overflow)
      throw std::overflow_error("the sum of row " + std::to_string(i) + " does not fit int64");
    reachable.data()[i] = row.reachable;
    total.data()[i] = row.sum;
    if (reciprocals) reciprocals[i] = row.reciprocals;
    largest.data()[i] = row.largest;
    farthest.data()[i] = static_cast<std::int32_t>(row.farthest);
  }
}

template <class T>
int reduce_rows(const Rows<const T>& dist, const Output<std::int64_t>& reachable,
                const Output<reductions::Sum<T>>& total, const std::optional<Output<double>>& reciprocals,
                const Output<T>& largest, const Output<std::int32_t>& farthest,
                const std::optional<Output<std::int64_t>>& counts, int exponent, int threads) {
  const auto rows = rows_of<T>(dist);
  require_length(reachable, rows.rows, "reachable");
  require_length(total, rows.rows, "total");
  if (reciprocals) require_length(*reciprocals, rows.rows, "reciprocals");
  require_length(largest, rows.rows, "largest");
  require_length(farthest, rows.rows, "farthest");
  std::vector<reductions::RowNumbers<T>> numbers(static_cast<std::size_t>(rows.rows));
  std::optional<reductions::Histogram> histogram;
  if (counts)
    histogram.emplace(static_cast<std::int64_t>(counts->shape(0) / 2), exponent,
                      std::vector<std::int64_t>(counts->data(), counts->data() + counts->shape(0)));
  run_monitored(
      nb::none(),
      [&](Control& control) {
        reductions::reduce_rows<T>(rows, numbers.data(), reciprocals.has_value(),
                                   histogram ? &*histogram : nullptr, useful_for_sums(rows, threads),
                                   control);
      },
      rows.rows, rows.columns);
  write_numbers<T>(numbers, reachable, total, reciprocals ? reciprocals->data() : nullptr, largest, farthest);
  if (!histogram) return exponent;
  std::copy(histogram->counts().begin(), histogram->counts().end(), counts->data());
  return histogram->exponent();
}

template <class T>
void reduce_columns(const Rows<const T>& dist, const Output<std::int64_t>& reachable,
                    const Output<reductions::Sum<T>>& total, const Output<double>& total_error,
                    const Output<double>& reciprocals, const Output<double>& reciprocals_error, int threads) {
  const auto rows = rows_of<T>(dist);
  require_length(reachable, rows.columns, "reachable");
  require_length(total, rows.columns, "total");
  require_length(total_error, rows.columns, "total_error");
  require_length(reciprocals, rows.columns, "reciprocals");
  require_length(reciprocals_error, rows.columns, "reciprocals_error");
  const reductions::ColumnNumbers<T> columns{reachable.data(), total.data(), total_error.data(),
                                             reciprocals.data(), reciprocals_error.data()};
  run_monitored(
      nb::none(),
      [&](Control& control) {
        reductions::reduce_columns<T>(rows, columns, useful_for_sums(rows, threads), control);
      },
      rows.rows, rows.columns);
}

template <class T>
void count_between(const Rows<const T>& dist,
                   const nb::ndarray<const double, nb::ndim<1>, nb::c_contig>& edges,
                   const Output<std::int64_t>& counts, int threads) {
  const auto rows = rows_of<T>(dist);
  const std::vector<double> limits(edges.data(), edges.data() + edges.shape(0));
  if (!std::is_sorted(limits.begin(), limits.end())) throw std::invalid_argument("edges must increase");
  require_length(counts, static_cast<std::int64_t>(limits.size()) - 1, "counts");
  run_monitored(nb::none(), [&](Control& control) {
    reductions::count_between<T>(rows, limits, counts.data(), threads, control);
  });
}

template <class T>
void nearest(const Rows<const T>& dist,
             const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig>& sources,
             const nb::ndarray<std::int32_t, nb::ndim<2>, nb::c_contig>& columns,
             const nb::ndarray<T, nb::ndim<2>, nb::c_contig>& distances, int threads) {
  const auto rows = rows_of<T>(dist);
  require_length(sources, rows.rows, "sources");
  require_length(columns, rows.rows, "columns");
  require_length(distances, rows.rows, "distances");
  if (columns.shape(1) != distances.shape(1))
    throw std::invalid_argument("columns and distances must have the same shape");
  run_monitored(
      nb::none(),
      [&](Control& control) {
        reductions::nearest<T>(rows, sources.data(), static_cast<std::int64_t>(columns.shape(1)),
                               columns.data(), distances.data(), useful(rows, threads), control);
      },
      rows.rows, rows.columns);
}

void weigh_rows(const AnyRows& dist, const WeighingArrays& weighing, int threads) {
  with_distance_type(dist, [&]<class T>(T) {
    const auto rows = rows_of<T>(Rows<const T>(dist));
    const auto view = weighing.view<T>(rows.columns, rows.rows);
    run_monitored(
        nb::none(),
        [&](Control& control) { reductions::weigh_rows<T>(rows, view, useful(rows, threads), control); },
        rows.rows, rows.columns * (1 + view.per_row()));
  });
}

template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, Host>;

template <class T>
void may_be_farther(const Table<T>& into, const Table<T>& out, T limit, const Output<bool>& may,
                    int threads) {
  const auto hubs = static_cast<std::int64_t>(into.shape(1)),
             count = static_cast<std::int64_t>(into.shape(0)),
             others = static_cast<std::int64_t>(out.shape(0));
  if (hubs < 1 || static_cast<std::int64_t>(out.shape(1)) != hubs ||
      static_cast<std::int64_t>(may.shape(0)) != count)
    throw std::invalid_argument("into, out and may must have as many hubs and vertices");
  run_monitored(
      nb::none(),
      [&](Control& control) {
        reductions::may_be_farther<T>({into.data(), count}, {out.data(), others}, hubs, limit,
                                      reinterpret_cast<std::uint8_t*>(may.data()), threads, control);
      },
      count, others);
}

template <class T>
void bind_measure_kernels(nb::module_& m) {
  m.def("reduce_rows", &reduce_rows<T>, nb::arg("dist").noconvert(), nb::arg("reachable").noconvert(),
        nb::arg("total").noconvert(), nb::arg("reciprocals").noconvert().none(),
        nb::arg("largest").noconvert(), nb::arg("farthest").noconvert(), nb::arg("counts").noconvert().none(),
        "exponent"_a, "threads"_a,
        "Numbers of every row (None: no reciprocals), and counts of a histogram; returns the exponent of its "
        "bin width.");
  m.def("reduce_columns", &reduce_columns<T>, nb::arg("dist").noconvert(), nb::arg("reachable").noconvert(),
        nb::arg("total").noconvert(), nb::arg("total_error").noconvert(), nb::arg("reciprocals").noconvert(),
        nb::arg("reciprocals_error").noconvert(), "threads"_a,
        "Adds the rows to running sums of the columns.");
  m.def("count_between", &count_between<T>, nb::arg("dist").noconvert(), nb::arg("edges").noconvert(),
        nb::arg("counts").noconvert(), "threads"_a,
        "Adds the rows to the counts of a histogram with given edges.");
  m.def("nearest_columns", &nearest<T>, nb::arg("dist").noconvert(), nb::arg("sources").noconvert(),
        nb::arg("columns").noconvert(), nb::arg("distances").noconvert(), "threads"_a,
        "The nearest columns of every row but the source itself, nearest first.");
}

template <class T>
using Values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, Host>;

template <class T>
void small_components(const Values<std::int64_t>& first, const ArcArrays& arcs, T cutoff,
                      const Output<std::int64_t>& reachable, const Output<reductions::Sum<T>>& total,
                      const Output<double>& reciprocals, const Output<T>& largest,
                      const Output<std::int32_t>& farthest, int threads) {
  const graph::Csr& graph = arcs.csr();
  const auto count = static_cast<std::int64_t>(first.shape(0)) - 1;
  const std::int64_t n = graph.n, m = graph.m;
  const std::int64_t* begins = first.data();
  require(count >= 0 && begins[0] == 0 && begins[count] == n,
          "first must go from 0 to the number of vertices");
  require_length(reachable, n, "reachable");
  require_length(total, n, "total");
  require_length(reciprocals, n, "reciprocals");
  require_length(largest, n, "largest");
  require_length(farthest, n, "farthest");
  for (std::int64_t c = 0; c < count; ++c) {
    const std::int64_t begin = begins[c], end = begins[c + 1];
    if (end < begin || end - begin > reductions::kLargestSmall)
      throw std::invalid_argument("a small component has at most " +
                                  std::to_string(reductions::kLargestSmall) + " vertices");
    const auto is_outside = [&](std::int32_t head) { return head < begin || head >= end; };
    const std::int64_t from = graph.indptr[begin], to = graph.indptr[end];
    if (from < 0 || from > to || to > m || std::any_of(graph.indices + from, graph.indices + to, is_outside))
      throw std::invalid_argument("arcs must stay in their component");
  }
  std::vector<reductions::RowNumbers<T>> numbers(static_cast<std::size_t>(n));
  const reductions::Components<T> components{
      count, begins, graph.indptr, graph.indices, arcs.lengths_or_null<T>(), cutoff};
  const std::int64_t steps = n * reductions::kLargestSmall;
  run_monitored(
      nb::none(),
      [&](Control& control) {
        reductions::small_components<T>(components, numbers.data(), is_short(1, steps) ? 1 : threads,
                                        control);
      },
      1, steps);
  write_numbers<T>(numbers, reachable, total, reciprocals.data(), largest, farthest);
}

bool forest_sums(const ArcArrays& arcs, const Output<std::int64_t>& reachable,
                 const Output<std::int64_t>& total, const Output<std::int64_t>& largest,
                 const Output<std::int32_t>& farthest) {
  const graph::Csr graph = arcs.checked().without_zones();
  const auto* lengths = arcs.lengths_or_null<std::int64_t>();
  require_length(reachable, graph.n, "reachable");
  require_length(total, graph.n, "total");
  require_length(largest, graph.n, "largest");
  require_length(farthest, graph.n, "farthest");
  bool is_forest = false;
  run_short(nb::none(), [&](Control& control) {
    is_forest = reductions::forest_sums(
        graph, lengths, {reachable.data(), total.data(), largest.data(), farthest.data()}, control);
  });
  return is_forest;
}

template <class T>
void bind_small_components(nb::module_& m) {
  m.def("small_components", &small_components<T>, "first"_a.noconvert(), "arcs"_a, "cutoff"_a,
        "reachable"_a.noconvert(), "total"_a.noconvert(), "reciprocals"_a.noconvert(),
        "largest"_a.noconvert(), "farthest"_a.noconvert(), "threads"_a,
        "Numbers of the rows of many small components.");
}

template <class T>
Tuple<T, std::int64_t, std::int64_t, T, std::int64_t> add_search(
    const Values<T>& out, const std::optional<Values<T>>& into,
    const std::optional<Values<std::int32_t>>& part, std::int64_t vertex, const Output<T>& lower,
    const Output<T>& upper, const Output<double>& total) {
  const std::size_t n = out.shape(0);
  if (vertex < 0 || static_cast<std::size_t>(vertex) >= n || lower.shape(0) != n || upper.shape(0) != n ||
      total.shape(0) != n || (into && into->shape(0) != n) || (part && part->shape(0) != n))
    throw std::invalid_argument("all arrays must have one element for each vertex");
  const reductions::SearchBounds<T> bounds{static_cast<std::int64_t>(n), lower.data(), upper.data(),
                                           total.data()};
  const auto ends = reductions::add_search<T>(bounds, out.data(), into ? into->data() : nullptr,
                                              part ? part->data() : nullptr, vertex);
  return nb::make_tuple(ends.eccentricity, ends.target, ends.reached, ends.longest, ends.source);
}

template <class T>
std::int64_t best_vertex(const Values<std::int64_t>& vertices, const Values<T>& bound,
                         const Values<double>& total, bool largest) {
  const auto count = static_cast<std::int64_t>(vertices.shape(0)),
             n = static_cast<std::int64_t>(bound.shape(0));
  const auto is_wrong = [n](std::int64_t v) { return v < 0 || v >= n; };
  if (count == 0 || static_cast<std::int64_t>(total.shape(0)) != n ||
      std::any_of(vertices.data(), vertices.data() + count, is_wrong))
    throw std::invalid_argument("best_vertex needs vertices, and bounds and totals of all of them");
  return reductions::best_vertex<T>(vertices.data(), count, bound.data(), total.data(), largest);
}

template <class T>
void bind_search_bounds(nb::module_& m) {
  m.def("add_search", &add_search<T>, "out"_a.noconvert(), "into"_a.noconvert().none(),
        "part"_a.noconvert().none(), "vertex"_a, "lower"_a.noconvert(), "upper"_a.noconvert(),
        "total"_a.noconvert(), "Add what a search proves to bounds on eccentricities.");
  m.def("best_vertex", &best_vertex<T>, "vertices"_a.noconvert(), "bound"_a.noconvert(),
        "total"_a.noconvert(), "largest"_a, "The vertex with the best bound.");
}

}  // namespace

void bind_measures(nb::module_& m) {
  m.attr("LARGEST_SMALL_COMPONENT") = nb::int_(reductions::kLargestSmall);
  m.attr("UNSET_EXPONENT") = nb::int_(reductions::Histogram::kUnset);
  m.def("weigh_rows", &weigh_rows, "dist"_a.noconvert(), "weighing"_a, "threads"_a,
        "Sums of amounts over the distances of every row within cutoffs.");
  bind_measure_kernels<std::uint16_t>(m);
  bind_measure_kernels<std::int32_t>(m);
  bind_measure_kernels<std::int64_t>(m);
  bind_measure_kernels<float>(m);
  bind_measure_kernels<double>(m);
  const char* words = "Which rows of `into` may be farther than the limit from one of `out`, over all hubs.";
  m.def("may_be_farther", &may_be_farther<std::int32_t>, "into"_a.noconvert(), "out"_a.noconvert(), "limit"_a,
        "may"_a.noconvert(), "threads"_a, words);
  m.def("may_be_farther", &may_be_farther<std::int64_t>, "into"_a.noconvert(), "out"_a.noconvert(), "limit"_a,
        "may"_a.noconvert(), "threads"_a, words);
  bind_search_bounds<std::int32_t>(m);
  bind_search_bounds<std::int64_t>(m);
  bind_small_components<std::uint16_t>(m);
  bind_small_components<std::int32_t>(m);
  bind_small_components<std::int64_t>(m);
  bind_small_components<float>(m);
  bind_small_components<double>(m);
  m.def("forest_sums", &forest_sums, "arcs"_a, "reachable"_a.noconvert(), "total"_a.noconvert(),
        "largest"_a.noconvert(), "farthest"_a.noconvert(),
        "Whether the graph is a forest, and then the sums over all rows.");
}

}  // namespace apsp::bindings
