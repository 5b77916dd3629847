// Binds cpp/paths: next hops, trees from distances, verification.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "paths/float_tree.hpp"
#include "paths/next_hops.hpp"
#include "paths/tight.hpp"
#include "paths/trees.hpp"
#include "paths/verify.hpp"

namespace apsp::bindings {
namespace {

void bind_next_hops(nb::module_& m) {
  m.def(
      "next_hops",
      [](const Rows<const std::int32_t>& pred, const Rows<std::int32_t>& out, int threads,
         const Progress& progress) {
        const auto rows = static_cast<std::int64_t>(pred.shape(0)),
                   n = static_cast<std::int64_t>(pred.shape(1));
        require_shape(pred, rows, n, "pred");
        require_shape(out, rows, n, "out");
        run_monitored(progress, [&](Control& control) {
          paths::next_hops(pred.data(), pred.stride(0), rows, n, out.data(), out.stride(0), threads, control);
        });
      },
      nb::kw_only(), nb::arg("pred").noconvert(), nb::arg("out").noconvert(), nb::arg("threads") = 1,
      nb::arg("progress") = nb::none());
}

// The graph of a call that turns one row of distances into predecessors, when all of its arguments fit.
const graph::Csr& checked_csr(const ArcArrays& arcs, std::int32_t source, const AnyVector& dist,
                              const Numbers<std::int32_t>& pred) {
  require_length(dist, arcs.n(), "dist");
  require_length(pred, arcs.n(), "pred");
  graph::check_vertices(&source, 1, arcs.n(), "source");
  return arcs.checked().csr();
}

std::int64_t tight_tree(const ArcArrays& arcs, std::int32_t source, const AnyVector& dist,
                        const Numbers<std::int32_t>& pred) {
  const graph::Csr& graph = checked_csr(arcs, source, dist, pred);
  return with_distance_type(dist, [&]<class T>(T) {
    const auto* weights = arcs.lengths<paths::Weight<T>>();
    const T* distances = elements<T>(dist);
    const Unlocked unlocked;
    std::vector<std::int32_t> queue;
    return paths::tight_tree(graph, weights, source, distances, pred.data(), queue);
  });
}

std::int64_t float_tree(const ArcArrays& arcs, std::int32_t source, const AnyVector& dist,
                        const Numbers<std::int32_t>& pred, double per_arc, double share, double most) {
  const graph::Csr& graph = checked_csr(arcs, source, dist, pred);
  return with_type<float, double>(dist, "dist must be float32 or float64", [&]<class T>(T) {
    const double* weights = arcs.lengths<double>();
    const T* distances = elements<T>(dist);
    const Unlocked unlocked;
    paths::FloatTree<T> tree(graph, weights, {per_arc, share, most});
    std::int64_t lost = -1;  // a vertex whose distance is not that of a path in the last tree
    tree.grow_until(source, distances, pred.data(), [&] {
      for (lost = 0; lost < graph.n; ++lost) {
        const T distance = distances[lost];
        if (lost != source && distance != semiring::kNoPath<T> && !tree.is_attained(lost, distance))
          return false;
      }
      lost = -1;
      return true;
    });
    return lost;
  });
}

void trees(const ArcArrays& arcs, const Indices& sources, const AnyMatrix& dist,
           const Rows<std::int32_t>& pred, int threads) {
  const graph::Csr& graph = arcs.checked().csr();
  const graph::WeightedArcs weighted = arcs.weighted();
  const auto count = static_cast<std::int64_t>(sources.shape(0));
  require_shape(pred, count, graph.n, "pred");
  with_distance_type(dist, [&]<class T>(T) {
    const auto view = matrix_view<T>(dist);
    require(view.rows == count && view.columns == graph.n,
            "dist must have a row for each source, of n columns");
    run_monitored(nb::none(), [&](Control& control) {
      paths::trees<T>(graph, weighted, sources.data(), view, matrix_view<std::int32_t>(pred), threads,
                      control);
    });
  });
}

using ReadRows = nb::ndarray<nb::ro, nb::ndim<2>, Host>;

Tuple<std::int64_t, std::int64_t> verify_rows(const ArcArrays& arcs, const Indices& sources,
                                              const ReadRows& dist,
                                              const std::optional<Rows<const std::int32_t>>& pred,
                                              const std::optional<Number>& cutoff, double per_arc,
                                              double share, double most, int threads,
                                              const Progress& progress) {
  const graph::Csr& graph = arcs.csr();
  paths::Mismatch wrong;
  with_distance_type(dist, [&]<class T>(T) {
    const auto* weights = arcs.lengths<paths::Weight<T>>();
    paths::Claim<T> claim;
    claim.sources = sources.data();
    claim.rows = static_cast<std::int64_t>(sources.shape(0));
    const Rows<const T> rows(dist);
    require_shape(rows, claim.rows, graph.n, "dist");
    claim.dist = rows.data();
    claim.dist_stride = rows.stride(0);
    if (pred) {
      require_shape(*pred, claim.rows, graph.n, "pred");
      claim.pred = pred->data();
      claim.pred_stride = pred->stride(0);
    }
    if (cutoff) claim.cutoff = number_as<paths::Weight<T>>(*cutoff);
    run_monitored(progress, [&](Control& control) {
      wrong = paths::verify_rows(graph, weights, claim, {per_arc, share, most}, threads, control);
    });
  });
  return nb::make_tuple(wrong.row, wrong.vertex);
}

}  // namespace

void bind_paths(nb::module_& m) {
  bind_next_hops(m);
  using namespace nb::literals;
  m.def("tree_rows", &trees, "arcs"_a, nb::kw_only(), "sources"_a.noconvert(), "dist"_a.noconvert(),
        "pred"_a.noconvert(), "threads"_a = 1);
  m.def("tight_tree", &tight_tree, "arcs"_a, nb::kw_only(), "source"_a, "dist"_a.noconvert(),
        "pred"_a.noconvert());
  m.def("float_tree", &float_tree, "arcs"_a, nb::kw_only(), "source"_a, "dist"_a.noconvert(),
        "pred"_a.noconvert(), "per_arc"_a, "share"_a, "most"_a);
  m.def("verify_rows", &verify_rows, "arcs"_a, "sources"_a.noconvert(), "dist"_a.noconvert(),
        "pred"_a.noconvert().none(), "cutoff"_a.none(), "per_arc"_a, "share"_a, "most"_a, "threads"_a = 1,
        "progress"_a = nb::none());
}

}  // namespace apsp::bindings
