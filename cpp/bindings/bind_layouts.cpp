// Python bindings of layouts in the plane.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstdint>

#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "graph/csr.hpp"
#include "layouts/stress.hpp"

namespace apsp::bindings {
namespace {

using Points = nb::ndarray<double, nb::ndim<2>, nb::c_contig, Host>;
using PivotTable = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, Host>;

void require_table(const PivotTable& table, std::int64_t n, std::int64_t k, const char* name) {
  require(static_cast<std::int64_t>(table.shape(0)) == n && static_cast<std::int64_t>(table.shape(1)) == k,
          std::string(name) + " must have shape (n, pivots)");
}

std::int64_t reduce_stress(const Points& points, const Vector<std::int32_t>& pivots,
                           const PivotTable& distances, const PivotTable& weights,
                           const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& neighbours,
                           const Vector<double>& lengths, std::int64_t sweeps, double tolerance, int threads,
                           const Progress& progress) {
  const auto n = static_cast<std::int64_t>(points.shape(0)), k = static_cast<std::int64_t>(pivots.shape(0)),
             m = static_cast<std::int64_t>(neighbours.shape(0));
  require(points.shape(1) == 2, "points must have shape (n, 2)");
  require_table(distances, n, k, "distances");
  require_table(weights, n, k, "weights");
  require_shape(indptr, n + 1, "indptr");
  require_shape(lengths, m, "lengths");
  require(sweeps >= 0 && threads >= 1, "sweeps must be at least 0, and threads at least 1");
  graph::check_vertices(pivots.data(), k, n, "pivots");
  graph::check_csr({n, indptr.data(), neighbours.data(), m, nullptr});
  const layouts::SparseStress stress{n,
                                     k,
                                     pivots.data(),
                                     distances.data(),
                                     weights.data(),
                                     indptr.data(),
                                     neighbours.data(),
                                     lengths.data()};
  std::int64_t done = 0;
  run_monitored(
      progress,
      [&](Control& control) {
        done = layouts::reduce_stress(stress, points.data(), sweeps, tolerance, threads, control);
      },
      sweeps, n * k + m);
  return done;
}

}  // namespace

void bind_layouts(nb::module_& m) {
  using namespace nb::literals;
  m.def("reduce_stress", &reduce_stress, "points"_a.noconvert(), nb::kw_only(), "pivots"_a.noconvert(),
        "distances"_a.noconvert(), "weights"_a.noconvert(), "indptr"_a.noconvert(),
        "neighbours"_a.noconvert(), "lengths"_a.noconvert(), "sweeps"_a, "tolerance"_a, "threads"_a = 1,
        "progress"_a = nb::none(),
        "Move points (n, 2) until sparse stress falls no more; the number of sweeps.");
}

}  // namespace apsp::bindings
