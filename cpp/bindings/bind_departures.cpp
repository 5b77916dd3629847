// Python bindings of earliest arrivals with weights that depend on the time.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "searches/departures.hpp"
#include "searches/profiles.hpp"

namespace apsp::bindings {
namespace {

using AnyTable = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, Host>;

// Calls work(timetable).
template <class Work>
auto with_timetable(const graph::Csr& graph, const AnyTable& weights, const Vector<double>& times,
                    double cycle, const Work& work) {
  const auto count = static_cast<std::int64_t>(times.shape(0));
  require(count >= 1, "there must be a time");
  require(static_cast<std::int64_t>(weights.shape(0)) == graph.m &&
              static_cast<std::int64_t>(weights.shape(1)) == count,
          "weights must have shape (arcs, times)");
  return with_type<std::int32_t, double>(weights, "weights must be int32 or float64", [&]<class T>(T) {
    return work(searches::Timetable<T>{times.data(), count, cycle, static_cast<const T*>(weights.data())});
  });
}

void earliest_arrivals(const ArcArrays& arcs, const RowArrays& rows, const Vector<double>& departures,
                       const AnyTable& weights, const Vector<double>& times, double cycle, int threads,
                       const Progress& progress) {
  const graph::Csr& graph = arcs.checked().csr();
  const auto request = rows.request<double>(graph.n);
  require_length(departures, request.count, "departures");
  with_timetable(graph, weights, times, cycle, [&](const auto& table) {
    run_monitored(
        progress,
        [&](Control& control) {
          searches::earliest_arrivals(graph, table, departures.data(), request, threads, control);
        },
        request.count, graph.n + graph.m);
  });
}

using Points = Tuple<Returned<std::int64_t>, Returned<double>, Returned<double>>;

Points arrival_profiles(const ArcArrays& arcs, const Indices& sources, const Indices& targets, double first,
                        double last, const AnyTable& weights, const Vector<double>& times, double cycle,
                        std::int64_t most_bytes, int threads, const Progress& progress) {
  const graph::Csr& graph = arcs.checked().csr();
  require(first < last, "the last departure must be later than the first");
  const searches::ProfileRequest request{first,
                                         last,
                                         static_cast<std::int64_t>(sources.shape(0)),
                                         sources.data(),
                                         static_cast<std::int64_t>(targets.shape(0)),
                                         targets.data(),
                                         most_bytes};
  return with_timetable(graph, weights, times, cycle, [&](const auto& table) {
    searches::Profiles found;
    run_monitored(progress, [&](Control& control) {
      found = searches::arrival_profiles(graph, table, request, threads, control);
    });
    return Points(nb::make_tuple(to_numpy(std::move(found.offsets)), to_numpy(std::move(found.departures)),
                                 to_numpy(std::move(found.arrivals))));
  });
}

}  // namespace

void bind_departures(nb::module_& m) {
  using namespace nb::literals;
  m.def("earliest_arrivals", &earliest_arrivals, "arcs"_a, "rows"_a, nb::kw_only(),
        "departures"_a.noconvert(), "weights"_a.noconvert(), "times"_a.noconvert(), "cycle"_a,
        "threads"_a = 1, "progress"_a = nb::none(),
        "Write when the targets are reached: weights (m, times), cycle 0 for none.");
  m.def("arrival_profiles", &arrival_profiles, "arcs"_a, nb::kw_only(), "sources"_a.noconvert(),
        "targets"_a.noconvert(), "first"_a, "last"_a, "weights"_a.noconvert(), "times"_a.noconvert(),
        "cycle"_a, "most_bytes"_a, "threads"_a = 1, "progress"_a = nb::none(),
        "The points between which arrivals lie on straight lines: (offsets (sources * targets + 1,), "
        "departures, arrivals).\n\nMemoryError if they need more bytes.");
}

}  // namespace apsp::bindings
