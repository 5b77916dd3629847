// Binds cpp/floyd_warshall and the predecessors of cpp/paths: blocked Floyd-Warshall on matrices and pages of
// matrices.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "floyd_warshall/floyd_warshall.hpp"
#include "floyd_warshall/variants.hpp"
#include "paths/predecessors.hpp"

namespace apsp::bindings {
namespace {

using floyd_warshall::chosen;
using semiring::algebra_from_name;
using VariantName = std::optional<std::string>;

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
                   const Progress& progress, bool half_range, const VariantName& variant) {
  const auto algebra = algebra_from_name(semiring);
  std::int64_t bad_vertex = -1;
  with_distance_type(page, [&]<class T>(T) {
    const auto view = matrix_view<T>(page);
    const auto& kernels = chosen<T>(algebra, {nonnegative, half_range}, variant);
    run_monitored(progress, [&](Control& control) {
      Team team(floyd_warshall::useful_threads(view.rows, threads));
      bad_vertex = floyd_warshall::close<T>(view, kernels, team, control);
    });
  });
  return bad_vertex;
}

void update(const AnyMatrix& c, const AnyMatrix& a, const AnyMatrix& b, const std::string& semiring,
            bool nonnegative, int threads, const Progress& progress, bool half_range,
            const VariantName& variant) {
  const auto algebra = algebra_from_name(semiring);
  if (a.dtype() != c.dtype() || b.dtype() != c.dtype())
    throw std::invalid_argument("the three matrices must have the same dtype");
  with_distance_type(c, [&]<class T>(T) {
    const auto c_view = matrix_view<T>(c), a_view = matrix_view<T>(a), b_view = matrix_view<T>(b);
    const auto& kernels = chosen<T>(algebra, {nonnegative, half_range}, variant);
    run_monitored(progress, [&](Control& control) {
      Team team(threads);
      floyd_warshall::update<T>(c_view, a_view, b_view, kernels, team, control);
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

template <class Body>
auto with_dtype_named(const std::string& dtype, const Body& body) {
  if (dtype == "float32") return body(float{});
  if (dtype == "float64") return body(double{});
  if (dtype == "int32") return body(std::int32_t{});
  if (dtype == "int64") return body(std::int64_t{});
  if (dtype == "uint16") return body(std::uint16_t{});
  throw std::invalid_argument("no kernels for dtype '" + dtype + "'");
}

double register_peak(const std::string& dtype, const std::string& semiring, bool nonnegative, int threads,
                     double seconds, bool half_range, const VariantName& variant) {
  const auto algebra = algebra_from_name(semiring);
  return with_dtype_named(dtype, [&]<class T>(T) {
    const auto& kernels = chosen<T>(algebra, {nonnegative, half_range}, variant);
    const Unlocked unlocked;
    return floyd_warshall::register_peak<T>(kernels, threads, seconds);
  });
}

constexpr auto kMinPlus = semiring::Algebra::kMinPlus;

std::vector<std::string> variants(const std::string& dtype, bool nonnegative, bool half_range) {
  return with_dtype_named(dtype, [&]<class T>(T) {
    std::vector<std::string> names;
    for (const auto& each : floyd_warshall::variants<T>(kMinPlus, {nonnegative, half_range}))
      names.push_back(each.name);
    return names;
  });
}

double rate(const std::string& dtype, bool nonnegative, bool half_range, const std::string& variant,
            double seconds) {
  return with_dtype_named(dtype, [&]<class T>(T) {
    return floyd_warshall::rate<T>(chosen<T>(kMinPlus, {nonnegative, half_range}, variant), seconds);
  });
}

std::string preferred(const std::string& dtype, bool nonnegative, bool half_range) {
  return with_dtype_named(dtype, [&]<class T>(T) {
    const floyd_warshall::Proven proven{nonnegative, half_range};
    for (const auto& each : floyd_warshall::variants<T>(kMinPlus, proven))
      if (each.kernels == &floyd_warshall::kernels<T>(kMinPlus, proven)) return each.name;
    throw std::logic_error("the kernels in use are not listed");
  });
}

void prefer(const std::string& dtype, bool nonnegative, bool half_range, const std::string& variant) {
  const floyd_warshall::Proven proven{nonnegative, half_range};
  with_dtype_named(
      dtype, [&]<class T>(T) { floyd_warshall::prefer<T>(proven, chosen<T>(kMinPlus, proven, variant)); });
}

}  // namespace

void bind_floyd_warshall(nb::module_& m) {
  using namespace nb::literals;
  m.def("dense_fill", &fill, "page"_a, "row_from"_a, "column_from"_a, "arcs"_a, "semiring"_a, "threads"_a,
        "Write the arcs into a page of the n x n matrix, in kernel values.");
  m.def("dense_close", &close, "page"_a, "semiring"_a, "nonnegative"_a, "threads"_a,
        "progress"_a.none() = nb::none(), "half_range"_a = false, "variant"_a.none() = nb::none(),
        "Close a square page; -1, or a vertex on a negative closed walk.");
  m.def("dense_update", &update, "c"_a, "a"_a, "b"_a, "semiring"_a, "nonnegative"_a, "threads"_a,
        "progress"_a.none() = nb::none(), "half_range"_a = false, "variant"_a.none() = nb::none(),
        "c = choose(c, a join b).");
  m.def("dense_finish", &finish, "page"_a, "semiring"_a, "nonnegative"_a, "threads"_a,
        "Kernel values to public ones; False if the distances are out of the proven range.");
  m.def("dense_extend", &extend, "matrix"_a, "arcs"_a, "semiring"_a, "threads"_a,
        "Add the paths that begin at zones to a closed matrix.");
  m.def("dense_predecessors", &predecessors, "dist"_a, "pred"_a, "arcs"_a, "semiring"_a, "nonnegative"_a,
        "threads"_a, "Predecessors of final n x n distances (public values).");
  m.def("register_peak", &register_peak, "dtype"_a, "semiring"_a = "min_plus", "nonnegative"_a = true,
        "threads"_a = 1, "seconds"_a = 0.2, "half_range"_a = false, "variant"_a.none() = nb::none(),
        "(add, min) pairs per second on values in registers.");
  m.def("dense_variants", &variants, "dtype"_a, "nonnegative"_a, "half_range"_a,
        "Names of the kernels of (min,+) that this machine has for such values; all compute the same.");
  m.def("dense_rate", &rate, "dtype"_a, "nonnegative"_a, "half_range"_a, "variant"_a, "seconds"_a,
        "(add, min) pairs per second of one core with these kernels, measured within about `seconds`.");
  m.def("dense_preferred", &preferred, "dtype"_a, "nonnegative"_a, "half_range"_a,
        "The name of the kernels that calls of this process for such values use.");
  m.def("dense_prefer", &prefer, "dtype"_a, "nonnegative"_a, "half_range"_a, "variant"_a,
        "Let the calls of this process for such values use these kernels.");
}

}  // namespace apsp::bindings
