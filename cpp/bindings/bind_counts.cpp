// Binds cpp/flows/counts.hpp: numbers of shortest paths, and tied predecessors.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/flow_errors.hpp"
#include "bindings/monitor.hpp"
#include "flows/counts.hpp"

namespace apsp::bindings {
namespace {

template <class Number>
flows::Counts<Number> counts_of(const graph::Csr& graph, const Vector<std::int32_t>& sources,
                                const std::optional<Vector<std::int32_t>>& targets,
                                const Rows<Number>& paths) {
  flows::Counts<Number> counts;
  counts.sources = sources.data();
  counts.count = static_cast<std::int64_t>(sources.shape(0));
  counts.targets = data_or_null(targets);
  counts.columns = targets ? static_cast<std::int64_t>(targets->shape(0)) : graph.n;
  graph::check_csr(graph);
  graph::check_vertices(counts.sources, counts.count, graph.n, "sources");
  if (targets) graph::check_vertices(counts.targets, counts.columns, graph.n, "targets");
  require_shape(paths, counts.count, counts.columns, "paths");
  counts.paths = paths.data();
  counts.stride = paths.stride(0);
  return counts;
}

// kernel(threads, control)
template <class Number, class Kernel>
void run_counts(const graph::Csr& graph, const flows::Counts<Number>& counts, int threads,
                const Progress& progress, Kernel&& kernel) {
  const std::int64_t steps = graph.n + graph.m;
  with_flow_errors([&] {
    if (is_brief(counts.count, steps))
      return run_brief(progress, [&](Control& control) { kernel(1, control); });
    run_monitored(progress, [&](Control& control) { kernel(threads, control); }, counts.count, steps);
  });
}

void bind_by_hops(nb::module_& m) {
  m.def(
      "counts_by_hops",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const std::optional<Vector<bool>>& zones, const Vector<std::int32_t>& sources,
         const std::optional<Vector<std::int32_t>>& targets, const Rows<double>& paths, std::int64_t cutoff,
         int threads, const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, zones);
        const flows::Counts counts = counts_of(graph, sources, targets, paths);
        run_counts(graph, counts, threads, progress, [&](int members, Control& control) {
          flows::counts_by_hops(graph, cutoff, counts, members, control);
        });
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("zones").noconvert() = nb::none(), nb::arg("sources").noconvert(),
      nb::arg("targets").noconvert() = nb::none(), nb::arg("paths").noconvert(), nb::arg("cutoff"),
      nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

template <class T, class Number>
void bind_by_length(nb::module_& m) {
  m.def(
      "counts_by_length",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices, const Vector<T>& weights,
         const std::optional<Vector<std::int64_t>>& heights, const std::optional<Vector<bool>>& zones,
         const Vector<std::int32_t>& sources, const std::optional<Vector<std::int32_t>>& targets,
         const Rows<Number>& paths, std::optional<T> cutoff, int threads, const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(weights, graph.m, "weights");
        if (heights) require_shape(*heights, graph.n, "heights");
        const flows::Counts counts = counts_of(graph, sources, targets, paths);
        run_counts(graph, counts, threads, progress, [&](int members, Control& control) {
          flows::counts_by_length<T, Number>(graph, weights.data(), data_or_null(heights),
                                             cutoff.value_or(semiring::kNoPath<T>), counts, members, control);
        });
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("heights").noconvert() = nb::none(),
      nb::arg("zones").noconvert() = nb::none(), nb::arg("sources").noconvert(),
      nb::arg("targets").noconvert() = nb::none(), nb::arg("paths").noconvert(),
      nb::arg("cutoff") = nb::none(), nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

template <class T>
void bind_predecessors(nb::module_& m) {
  m.def(
      "tied_predecessors",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices, const Vector<T>& weights,
         const std::optional<Vector<bool>>& zones, std::int32_t source,
         std::optional<T> cutoff) -> Tuple<Returned<std::int64_t>, Returned<std::int32_t>> {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(weights, graph.m, "weights");
        graph::check_csr(graph);
        graph::check_vertices(&source, 1, graph.n, "source");
        flows::Predecessors found;
        const auto kernel = [&](Control& control) {
          found = flows::tied_predecessors<T>(graph, weights.data(), source,
                                              cutoff.value_or(semiring::kNoPath<T>), control);
        };
        if (is_brief(1, graph.n + graph.m))
          run_brief(nb::none(), kernel);
        else
          run_monitored(nb::none(), kernel, 1, graph.n + graph.m);
        return nb::make_tuple(to_numpy(std::move(found.first)), to_numpy(std::move(found.second)));
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("zones").noconvert() = nb::none(), nb::arg("source"),
      nb::arg("cutoff") = nb::none());
}

}  // namespace

void bind_counts(nb::module_& m) {
  bind_by_hops(m);
  bind_by_length<std::int32_t, double>(m);
  bind_by_length<std::int64_t, double>(m);
  bind_by_length<double, double>(m);
  bind_by_length<std::int32_t, std::uint64_t>(m);
  bind_by_length<std::int64_t, std::uint64_t>(m);
  bind_by_length<double, std::uint64_t>(m);
  bind_predecessors<std::int32_t>(m);
  bind_predecessors<std::int64_t>(m);
  bind_predecessors<double>(m);
}

}  // namespace apsp::bindings
