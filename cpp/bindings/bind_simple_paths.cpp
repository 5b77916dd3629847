// Python bindings of the k shortest simple paths and walks of pairs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "simple_paths/simple_paths.hpp"
#include "walks/walks.hpp"

namespace apsp::bindings {
namespace {

using WalksOfPairs =
    Tuple<Returned<std::int64_t>, AnyReturned, Returned<std::int64_t>, Returned<std::int32_t>>;

// What `search` finds for weights of the dtype of `dist`, and the pairs that are checked.
template <class Search>
WalksOfPairs found_by(const Search& search, const ArcArrays& arcs, const AnyMatrix& dist, const Indices& rows,
                      const Indices& sources, const Indices& targets, std::int64_t k,
                      const Progress& progress) {
  constexpr const char* kTypes = "weights must be int32, int64 or float64";
  return with_type<std::int32_t, std::int64_t, double>(
      arcs.weights(), kTypes, [&]<class T>(T) -> WalksOfPairs {
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
            progress, [&](Control& control) { found = search(graph, weights, pairs, control); }, pairs.count,
            std::clamp<std::int64_t>(k, 1, kBriefSteps) * (graph.n + graph.m));
        return nb::make_tuple(to_numpy(std::move(found.counts)), to_numpy(std::move(found.lengths)),
                              to_numpy(std::move(found.offsets)), to_numpy(std::move(found.vertices)));
      });
}

WalksOfPairs shortest_simple_paths(const ArcArrays& arcs, const AnyMatrix& dist, const Indices& rows,
                                   const Indices& sources, const Indices& targets, std::int64_t k,
                                   int threads, const Progress& progress) {
  const auto search = [&](const auto& graph, const auto* weights, const auto& pairs, Control& control) {
    return simple_paths::shortest(graph, weights, pairs, k, threads, control);
  };
  return found_by(search, arcs, dist, rows, sources, targets, k, progress);
}

WalksOfPairs shortest_walks(const ArcArrays& arcs, const AnyMatrix& dist, const Indices& rows,
                            const Indices& sources, const Indices& targets, std::int64_t k,
                            std::int64_t most_bytes, int threads, const Progress& progress) {
  const auto search = [&](const auto& graph, const auto* weights, const auto& pairs, Control& control) {
    return walks::shortest(graph, weights, pairs, k, most_bytes, threads, control);
  };
  return found_by(search, arcs, dist, rows, sources, targets, k, progress);
}

}  // namespace

void bind_simple_paths(nb::module_& m) {
  using namespace nb::literals;
  m.def("shortest_simple_paths", &shortest_simple_paths, "arcs"_a, nb::kw_only(), "dist"_a.noconvert(),
        "rows"_a.noconvert(), "sources"_a.noconvert(), "targets"_a.noconvert(), "k"_a, "threads"_a = 1,
        "progress"_a = nb::none(),
        "The k shortest simple paths of pairs: (counts (pairs,), lengths, offsets, vertices).\n\n"
        "dist[rows[i]] are the distances from all vertices to targets[i].");
  m.def("shortest_walks", &shortest_walks, "arcs"_a, nb::kw_only(), "dist"_a.noconvert(),
        "rows"_a.noconvert(), "sources"_a.noconvert(), "targets"_a.noconvert(), "k"_a, "most_bytes"_a,
        "threads"_a = 1, "progress"_a = nb::none(),
        "The k shortest walks of pairs, as shortest_simple_paths; OverflowError if one may be longer than "
        "2^61.");
}

}  // namespace apsp::bindings
