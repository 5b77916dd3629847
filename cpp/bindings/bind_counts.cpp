// Binds cpp/flows/counts.hpp: numbers of shortest paths, and tied predecessors.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/flow_errors.hpp"
#include "bindings/monitor.hpp"
#include "flows/counts.hpp"

namespace apsp::bindings {
namespace {

template <class Count>
flows::Counts<Count> counts_of(const ArcArrays& arcs, const Indices& sources,
                               const std::optional<Indices>& targets, const AnyMatrix& paths) {
  flows::Counts<Count> counts;
  counts.sources = sources.data();
  counts.count = static_cast<std::int64_t>(sources.shape(0));
  counts.targets = data_or_null(targets);
  counts.columns = targets ? static_cast<std::int64_t>(targets->shape(0)) : arcs.n();
  graph::check_vertices(counts.sources, counts.count, arcs.n(), "sources");
  if (targets) graph::check_vertices(counts.targets, counts.columns, arcs.n(), "targets");
  const Rows<Count> rows(paths);
  require_shape(rows, counts.count, counts.columns, "paths");
  counts.paths = rows.data();
  counts.stride = rows.stride(0);
  return counts;
}

// kernel(threads, control)
template <class Count, class Kernel>
void run_counts(const ArcArrays& arcs, const flows::Counts<Count>& counts, int threads,
                const Progress& progress, Kernel&& kernel) {
  const std::int64_t steps = arcs.n() + arcs.m();
  with_flow_errors([&] {
    if (is_brief(counts.count, steps))
      return run_brief(progress, [&](Control& control) { kernel(1, control); });
    run_monitored(progress, [&](Control& control) { kernel(threads, control); }, counts.count, steps);
  });
}

void by_hops(const ArcArrays& arcs, const Indices& sources, const std::optional<Indices>& targets,
             const AnyMatrix& paths, std::int64_t cutoff, int threads, const Progress& progress) {
  arcs.checked();
  require(paths.dtype() == nb::dtype<double>(), "paths must be float64");
  const auto counts = counts_of<double>(arcs, sources, targets, paths);
  run_counts(arcs, counts, threads, progress, [&](int members, Control& control) {
    flows::counts_by_hops(arcs.csr(), cutoff, counts, members, control);
  });
}

// body(T{}) for the dtypes of lengths that are compared exactly.
template <class Body>
auto with_length_type(const ArcArrays& arcs, const Body& body) {
  return with_type<std::int32_t, std::int64_t, double>(arcs.weights(),
                                                       "weights must be int32, int64 or float64", body);
}

template <class T>
T limit_of(const std::optional<Number>& cutoff) {
  return cutoff ? number_as<T>(*cutoff) : semiring::kNoPath<T>;
}

void by_length(const ArcArrays& arcs, const std::optional<Vector<std::int64_t>>& heights,
               const Indices& sources, const std::optional<Indices>& targets, const AnyMatrix& paths,
               const std::optional<Number>& cutoff, int threads, const Progress& progress) {
  arcs.checked();
  if (heights) require_shape(*heights, arcs.n(), "heights");
  with_length_type(arcs, [&]<class T>(T) {
    const T* weights = arcs.lengths<T>();
    const T limit = limit_of<T>(cutoff);
    with_type<double, std::uint64_t>(paths, "paths must be float64 or uint64", [&]<class Count>(Count) {
      const auto counts = counts_of<Count>(arcs, sources, targets, paths);
      run_counts(arcs, counts, threads, progress, [&](int members, Control& control) {
        flows::counts_by_length<T, Count>(arcs.csr(), weights, data_or_null(heights), limit, counts, members,
                                          control);
      });
    });
  });
}

using AllPredecessors = Tuple<Returned<std::int64_t>, Returned<std::int32_t>>;

AllPredecessors tied_predecessors(const ArcArrays& arcs, std::int32_t source,
                                  const std::optional<Number>& cutoff) {
  const graph::Csr& graph = arcs.checked().csr();
  graph::check_vertices(&source, 1, graph.n, "source");
  return with_length_type(arcs, [&]<class T>(T) -> AllPredecessors {
    const T* weights = arcs.lengths<T>();
    const T limit = limit_of<T>(cutoff);
    flows::Predecessors found;
    run_monitored(
        nb::none(),
        [&](Control& control) {
          found = flows::tied_predecessors<T>(graph, weights, source, limit, control);
        },
        1, graph.n + graph.m);
    return nb::make_tuple(to_numpy(std::move(found.first)), to_numpy(std::move(found.second)));
  });
}

}  // namespace

void bind_counts(nb::module_& m) {
  using namespace nb::literals;
  m.def("counts_by_hops", &by_hops, "arcs"_a, nb::kw_only(), "sources"_a.noconvert(),
        "targets"_a.noconvert() = nb::none(), "paths"_a.noconvert(), "cutoff"_a, "threads"_a = 1,
        "progress"_a = nb::none());
  m.def("counts_by_length", &by_length, "arcs"_a, nb::kw_only(), "heights"_a.noconvert() = nb::none(),
        "sources"_a.noconvert(), "targets"_a.noconvert() = nb::none(), "paths"_a.noconvert(),
        "cutoff"_a = nb::none(), "threads"_a = 1, "progress"_a = nb::none());
  m.def("tied_predecessors", &tied_predecessors, "arcs"_a, nb::kw_only(), "source"_a,
        "cutoff"_a = nb::none());
}

}  // namespace apsp::bindings
