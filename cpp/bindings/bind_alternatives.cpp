// Python bindings of alternatives by way of vertices.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>

#include "alternatives/via_paths.hpp"
#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"

namespace apsp::bindings {
namespace {

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, Host>;
using Paths = Tuple<Returned<std::int64_t>, Returned<std::int64_t>, Returned<std::int32_t>>;

class TreeRows {
 public:
  TreeRows(Matrix<double> dist, Matrix<std::int32_t> next) : dist_(std::move(dist)), next_(std::move(next)) {}

  std::int64_t count() const { return static_cast<std::int64_t>(dist_.shape(0)); }
  alternatives::Trees of(std::int64_t n) const {
    require(static_cast<std::int64_t>(dist_.shape(1)) == n && next_.shape(0) == dist_.shape(0) &&
                next_.shape(1) == dist_.shape(1),
            "trees must have shape (rows, n)");
    graph::check_vertices(next_.data(), static_cast<std::int64_t>(next_.size()), n, "next");
    return {dist_.data(), next_.data()};
  }

 private:
  Matrix<double> dist_;
  Matrix<std::int32_t> next_;
};

Paths via_paths(const ArcArrays& arcs, const TreeRows& forward, const TreeRows& backward,
                const Indices& sources, const Indices& targets, const Indices& forward_rows,
                const Indices& backward_rows, std::int64_t k, double stretch, double sharing,
                double local_optimality, double rounding, int threads, const Progress& progress) {
  const graph::Csr& graph = arcs.checked().csr();
  const alternatives::Trees from = forward.of(graph.n), to = backward.of(graph.n);
  const alternatives::Pairs pairs{static_cast<std::int64_t>(sources.shape(0)), sources.data(), targets.data(),
                                  forward_rows.data(), backward_rows.data()};
  require_length(targets, pairs.count, "targets");
  require_length(forward_rows, pairs.count, "forward_rows");
  require_length(backward_rows, pairs.count, "backward_rows");
  graph::check_vertices(pairs.sources, pairs.count, graph.n, "sources");
  graph::check_vertices(pairs.targets, pairs.count, graph.n, "targets");
  graph::check_vertices(pairs.forward_rows, pairs.count, forward.count(), "forward_rows");
  graph::check_vertices(pairs.backward_rows, pairs.count, backward.count(), "backward_rows");
  const alternatives::Limits limits{k, stretch, sharing, local_optimality, rounding};
  const double* weights = arcs.lengths_or_null<double>();
  paths::PathsOfPairs found;
  run_monitored(progress, [&](Control& control) {
    found = alternatives::via_paths(graph, weights, from, to, pairs, limits, threads, control);
  });
  return nb::make_tuple(to_numpy(std::move(found.counts)), to_numpy(std::move(found.offsets)),
                        to_numpy(std::move(found.vertices)));
}

}  // namespace

void bind_alternatives(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<TreeRows>(m, "TreeRows", "Shortest path trees, a row each: distances, and the next vertices.")
      .def(nb::init<Matrix<double>, Matrix<std::int32_t>>(), "dist"_a.noconvert(), "next"_a.noconvert());
  m.def("via_paths", &via_paths, "arcs"_a, nb::kw_only(), "forward"_a, "backward"_a, "sources"_a.noconvert(),
        "targets"_a.noconvert(), "forward_rows"_a.noconvert(), "backward_rows"_a.noconvert(), "k"_a,
        "stretch"_a, "sharing"_a, "local_optimality"_a, "rounding"_a, "threads"_a = 1,
        "progress"_a = nb::none(), "Alternatives of pairs: (counts (pairs,), offsets, vertices).");
}

}  // namespace apsp::bindings
