// Python bindings of earliest arrivals with weights that depend on the time.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "searches/departures.hpp"

namespace apsp::bindings {
namespace {

using AnyTable = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, Host>;

void earliest_arrivals(const ArcArrays& arcs, const RowArrays& rows, const Vector<double>& departures,
                       const AnyTable& weights, const Vector<double>& times, double cycle, int threads,
                       const Progress& progress) {
  const graph::Csr& graph = arcs.checked().csr();
  const auto request = rows.request<double>(graph.n);
  const auto count = static_cast<std::int64_t>(times.shape(0));
  require_length(departures, request.count, "departures");
  require(count >= 1, "there must be a time");
  require(static_cast<std::int64_t>(weights.shape(0)) == graph.m &&
              static_cast<std::int64_t>(weights.shape(1)) == count,
          "weights must have shape (arcs, times)");
  with_type<std::int32_t, double>(weights, "weights must be int32 or float64", [&]<class T>(T) {
    const searches::Timetable<T> table{times.data(), count, cycle, static_cast<const T*>(weights.data())};
    run_monitored(
        progress,
        [&](Control& control) {
          searches::earliest_arrivals<T>(graph, table, departures.data(), request, threads, control);
        },
        request.count, graph.n + graph.m);
  });
}

}  // namespace

void bind_departures(nb::module_& m) {
  using namespace nb::literals;
  m.def("earliest_arrivals", &earliest_arrivals, "arcs"_a, "rows"_a, nb::kw_only(),
        "departures"_a.noconvert(), "weights"_a.noconvert(), "times"_a.noconvert(), "cycle"_a,
        "threads"_a = 1, "progress"_a = nb::none(),
        "Write when the targets are reached: weights (m, times), cycle 0 for none.");
}

}  // namespace apsp::bindings
