// Python bindings of the k shortest simple paths of pairs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "simple_paths/simple_paths.hpp"

namespace apsp::bindings {
namespace {

using Paths = Tuple<Returned<std::int64_t>, AnyReturned, Returned<std::int64_t>, Returned<std::int32_t>>;

Paths shortest_simple_paths(const ArcArrays& arcs, const AnyMatrix& dist, const Indices& rows,
                            const Indices& sources, const Indices& targets, std::int64_t k, int threads,
                            const Progress& progress) {
  constexpr const char* kTypes = "weights must be int32, int64 or float64";
  return with_type<std::int32_t, std::int64_t, double>(arcs.weights(), kTypes, [&]<class T>(T) -> Paths {
    const graph::Csr& graph = arcs.checked().csr();
    const T* weights = arcs.lengths<T>();
    require(dist.dtype() == nb::dtype<T>(), "dist must have the dtype of the weights");
    const Rows<T> matrix(dist);
    const auto height = static_cast<std::int64_t>(matrix.shape(0));
    require_shape(matrix, height, graph.n, "dist");
    simple_paths::Pairs<T> pairs;
    pairs.count = static_cast<std::int64_t>(sources.shape(0));
    require_length(targets, pairs.count, "targets");
    require_length(rows, pairs.count, "rows");
    pairs.sources = sources.data(), pairs.targets = targets.data(), pairs.rows = rows.data();
    graph::check_vertices(pairs.sources, pairs.count, graph.n, "sources");
    graph::check_vertices(pairs.targets, pairs.count, graph.n, "targets");
    graph::check_vertices(pairs.rows, pairs.count, height, "rows");
    pairs.dist = matrix.data(), pairs.stride = height > 1 ? matrix.stride(0) : graph.n;
    simple_paths::Found<T> found;
    run_monitored(
        progress,
        [&](Control& control) {
          found = simple_paths::shortest<T>(graph, weights, pairs, k, threads, control);
        },
        pairs.count, std::clamp<std::int64_t>(k, 1, kBriefSteps) * (graph.n + graph.m));
    return nb::make_tuple(to_numpy(std::move(found.counts)), to_numpy(std::move(found.lengths)),
                          to_numpy(std::move(found.offsets)), to_numpy(std::move(found.vertices)));
  });
}

}  // namespace

void bind_simple_paths(nb::module_& m) {
  using namespace nb::literals;
  m.def("shortest_simple_paths", &shortest_simple_paths, "arcs"_a, nb::kw_only(), "dist"_a.noconvert(),
        "rows"_a.noconvert(), "sources"_a.noconvert(), "targets"_a.noconvert(), "k"_a, "threads"_a = 1,
        "progress"_a = nb::none(),
        "The k shortest simple paths of pairs: (counts (pairs,), lengths, offsets, vertices).\n\n"
        "dist[rows[i]] are the distances from all vertices to targets[i].");
}

}  // namespace apsp::bindings
