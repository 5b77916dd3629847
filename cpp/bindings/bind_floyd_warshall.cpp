// Binds cpp/floyd_warshall and the predecessors of cpp/paths: blocked Floyd-Warshall on matrices and pages of
// matrices.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "floyd_warshall/floyd_warshall.hpp"
#include "paths/predecessors.hpp"

namespace apsp::bindings {
namespace {

using semiring::algebra_from_name;

void fill(const AnyMatrix& page, std::int64_t row_from, std::int64_t column_from, const ArcArrays& arcs,
          const std::string& semiring, int threads) {
  const graph::WeightedArcs weighted = arcs.weighted();
  graph::check_indptr(weighted, arcs.m());
  const auto algebra = algebra_from_name(semiring);
  with_distance_type(page, [&]<class T>(T) {
    const auto view = matrix_view<T>(page);
    if (row_from < 0 || column_from < 0 || row_from + view.rows > weighted.n ||
        column_from + view.columns > weighted.n)
      throw std::invalid_argument("the page must lie inside the n x n matrix");
    run_monitored(nb::none(), [&](Control& control) {
      Team team(threads);
      graph::fill<T>(view, row_from, column_from, weighted, algebra, arcs.zones(), team, control);
    });
  });
}

std::int64_t close(const AnyMatrix& page, const std::string& semiring, bool nonnegative, int threads,
                   const Progress& progress) {
  const auto algebra = algebra_from_name(semiring);
  std::int64_t bad_vertex = -1;
  with_distance_type(page, [&]<class T>(T) {
    const auto view = matrix_view<T>(page);
    run_monitored(progress, [&](Control& control) {
      Team team(floyd_warshall::useful_threads(view.rows, threads));
      bad_vertex = floyd_warshall::close<T>(view, algebra, nonnegative, team, control);
    });
  });
  return bad_vertex;
}

void update(const AnyMatrix& c, const AnyMatrix& a, const AnyMatrix& b, const std::string& semiring,
            bool nonnegative, int threads, const Progress& progress) {
  const auto algebra = algebra_from_name(semiring);
  if (a.dtype() != c.dtype() || b.dtype() != c.dtype())
    throw std::invalid_argument("the three matrices must have the same dtype");
  with_distance_type(c, [&]<class T>(T) {
    const auto c_view = matrix_view<T>(c), a_view = matrix_view<T>(a), b_view = matrix_view<T>(b);
    run_monitored(progress, [&](Control& control) {
      Team team(threads);
      floyd_warshall::update<T>(c_view, a_view, b_view, algebra, nonnegative, team, control);
    });
  });
}

bool finish(const AnyMatrix& page, const std::string& semiring, bool nonnegative, int threads) {
  const auto algebra = algebra_from_name(semiring);
  bool in_range = true;
  with_distance_type(page, [&]<class T>(T) {
    const auto view = matrix_view<T>(page);
    run_monitored(nb::none(), [&](Control& control) {
      Team team(threads);
      in_range = graph::finish<T>(view, algebra, nonnegative, team, control);
    });
  });
  return in_range;
}

void extend(const AnyMatrix& matrix, const ArcArrays& arcs, const std::string& semiring, int threads) {
  const graph::WeightedArcs weighted = arcs.checked().weighted();
  const auto algebra = algebra_from_name(semiring);
  with_distance_type(matrix, [&]<class T>(T) {
    const auto view = matrix_view<T>(matrix);
    if (view.rows != weighted.n || view.columns != weighted.n || arcs.zones() == nullptr)
      throw std::invalid_argument("the whole n x n matrix and zones are needed");
    run_monitored(nb::none(), [&](Control& control) {
      Team team(threads);
      graph::extend_closed_rows<T>(view, weighted, algebra, arcs.zones(), team, control);
    });
  });
}

void predecessors(const AnyMatrix& dist, const AnyMatrix& pred, const ArcArrays& arcs,
                  const std::string& semiring, bool nonnegative, int threads) {
  const graph::WeightedArcs weighted = arcs.weighted();
  graph::check_indptr(weighted, arcs.m());
  const auto algebra = algebra_from_name(semiring);
  if (pred.dtype() != nb::dtype<std::int32_t>()) throw std::invalid_argument("pred must be int32");
  const auto pred_view = matrix_view<std::int32_t>(pred);
  with_distance_type(dist, [&]<class T>(T) {
    const auto dist_view = matrix_view<T>(dist);
    run_monitored(nb::none(), [&](Control& control) {
      Team team(threads);
      paths::predecessors<T>(dist_view, pred_view, weighted, algebra, nonnegative, arcs.zones(), team,
                             control);
    });
  });
}

double register_peak(const std::string& dtype, const std::string& semiring, bool nonnegative, int threads,
                     double seconds) {
  const auto algebra = algebra_from_name(semiring);
  const Unlocked unlocked;
  if (dtype == "float32") return floyd_warshall::register_peak<float>(algebra, nonnegative, threads, seconds);
  if (dtype == "float64")
    return floyd_warshall::register_peak<double>(algebra, nonnegative, threads, seconds);
  if (dtype == "int32")
    return floyd_warshall::register_peak<std::int32_t>(algebra, nonnegative, threads, seconds);
  if (dtype == "int64")
    return floyd_warshall::register_peak<std::int64_t>(algebra, nonnegative, threads, seconds);
  if (dtype == "uint16")
    return floyd_warshall::register_peak<std::uint16_t>(algebra, nonnegative, threads, seconds);
  throw std::invalid_argument("no kernels for dtype '" + dtype + "'");
}

}  // namespace

void bind_floyd_warshall(nb::module_& m) {
  using namespace nb::literals;
  m.def("dense_fill", &fill, "page"_a, "row_from"_a, "column_from"_a, "arcs"_a, "semiring"_a, "threads"_a,
        "Write the arcs into a page of the n x n matrix, in kernel values.");
  m.def("dense_close", &close, "page"_a, "semiring"_a, "nonnegative"_a, "threads"_a,
        "progress"_a.none() = nb::none(), "Close a square page; -1, or a vertex on a negative closed walk.");
  m.def("dense_update", &update, "c"_a, "a"_a, "b"_a, "semiring"_a, "nonnegative"_a, "threads"_a,
        "progress"_a.none() = nb::none(), "c = choose(c, a join b).");
  m.def("dense_finish", &finish, "page"_a, "semiring"_a, "nonnegative"_a, "threads"_a,
        "Kernel values to public ones; False if the distances are out of the proven range.");
  m.def("dense_extend", &extend, "matrix"_a, "arcs"_a, "semiring"_a, "threads"_a,
        "Add the paths that begin at zones to a closed matrix.");
  m.def("dense_predecessors", &predecessors, "dist"_a, "pred"_a, "arcs"_a, "semiring"_a, "nonnegative"_a,
        "threads"_a, "Predecessors of final n x n distances (public values).");
  m.def("register_peak", &register_peak, "dtype"_a, "semiring"_a = "min_plus", "nonnegative"_a = true,
        "threads"_a = 1, "seconds"_a = 0.2, "(add, min) pairs per second on values in registers.");
}

}  // namespace apsp::bindings
