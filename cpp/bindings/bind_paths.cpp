// Binds cpp/paths: next hops, trees from distances, verification.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
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

using PredecessorRow = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, Host>;

// The graph of a call that turns one row of distances into predecessors, when all of its arguments fit.
template <class W, class T>
graph::Csr checked_csr(const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
                       const Vector<W>& weights, std::int32_t source, const Vector<T>& dist,
                       const PredecessorRow& pred, const std::optional<Vector<bool>>& zones) {
  const graph::Csr graph = csr(indptr, indices, zones);
  require_shape(weights, graph.m, "weights");
  require_shape(dist, graph.n, "dist");
  require(static_cast<std::int64_t>(pred.shape(0)) == graph.n, "pred must have n elements");
  graph::check_csr(graph);
  graph::check_vertices(&source, 1, graph.n, "source");
  return graph;
}

template <class T>
void bind_tight_tree(nb::module_& m) {
  m.def(
      "tight_tree",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const Vector<paths::Weight<T>>& weights, std::int32_t source, const Vector<T>& dist,
         const PredecessorRow& pred, const std::optional<Vector<bool>>& zones) {
        const graph::Csr graph = checked_csr(indptr, indices, weights, source, dist, pred, zones);
        const Unlocked unlocked;
        std::vector<std::int32_t> queue;
        return paths::tight_tree(graph, weights.data(), source, dist.data(), pred.data(), queue);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("source"), nb::arg("dist").noconvert(),
      nb::arg("pred").noconvert(), nb::arg("zones").noconvert() = nb::none());
}

template <class T>
void bind_float_tree(nb::module_& m) {
  m.def(
      "float_tree",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const Vector<double>& weights, std::int32_t source, const Vector<T>& dist,
         const PredecessorRow& pred, const std::optional<Vector<bool>>& zones, double per_arc, double share,
         double most) {
        const graph::Csr graph = checked_csr(indptr, indices, weights, source, dist, pred, zones);
        const Unlocked unlocked;
        paths::FloatTree<T> tree(graph, weights.data(), {per_arc, share, most});
        std::int64_t lost = -1;  // a vertex whose distance is not that of a path in the last tree
        tree.grow_until(source, dist.data(), pred.data(), [&] {
          for (lost = 0; lost < graph.n; ++lost) {
            const T distance = dist.data()[lost];
            if (lost != source && distance != semiring::kNoPath<T> && !tree.is_attained(lost, distance))
              return false;
          }
          lost = -1;
          return true;
        });
        return lost;
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("source"), nb::arg("dist").noconvert(),
      nb::arg("pred").noconvert(), nb::arg("zones").noconvert() = nb::none(), nb::arg("per_arc"),
      nb::arg("share"), nb::arg("most"));
}

void trees(const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices, const AnyWeights& weights,
           const std::optional<Vector<bool>>& zones, const Vector<std::int32_t>& sources,
           const AnyMatrix& dist, const Rows<std::int32_t>& pred, int threads) {
  const graph::Csr graph = csr(indptr, indices, zones);
  const graph::WeightedArcs arcs = arcs_view(indptr, indices, weights);
  const auto count = static_cast<std::int64_t>(sources.shape(0));
  require_shape(pred, count, graph.n, "pred");
  with_distance_type(dist, [&]<class T>(T) {
    const auto view = matrix_view<T>(dist);
    require(view.rows == count && view.columns == graph.n,
            "dist must have a row for each source, of n columns");
    run_monitored(nb::none(), [&](Control& control) {
      paths::trees<T>(graph, arcs, sources.data(), view, matrix_view<std::int32_t>(pred), threads, control);
    });
  });
}

template <class T>
void bind_verify(nb::module_& m) {
  m.def(
      "verify_rows",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const Vector<paths::Weight<T>>& weights, const std::optional<Vector<bool>>& zones,
         const Vector<std::int32_t>& sources, const Rows<const T>& dist,
         const std::optional<Rows<const std::int32_t>>& pred, std::optional<paths::Weight<T>> cutoff,
         double per_arc, double share, double most, int threads,
         const Progress& progress) -> Tuple<std::int64_t, std::int64_t> {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(weights, graph.m, "weights");
        paths::Claim<T> claim;
        claim.sources = sources.data();
        claim.rows = static_cast<std::int64_t>(sources.shape(0));
        require_shape(dist, claim.rows, graph.n, "dist");
        claim.dist = dist.data();
        claim.dist_stride = dist.stride(0);
        if (pred) {
          require_shape(*pred, claim.rows, graph.n, "pred");
          claim.pred = pred->data();
          claim.pred_stride = pred->stride(0);
        }
        claim.cutoff = cutoff;
        paths::Mismatch wrong;
        run_monitored(progress, [&](Control& control) {
          wrong = paths::verify_rows(graph, weights.data(), claim, {per_arc, share, most}, threads, control);
        });
        return nb::make_tuple(wrong.row, wrong.vertex);
      },
      nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(), nb::arg("weights").noconvert(),
      nb::arg("zones").noconvert().none(), nb::arg("sources").noconvert(), nb::arg("dist").noconvert(),
      nb::arg("pred").noconvert().none(), nb::arg("cutoff").none(), nb::arg("per_arc"), nb::arg("share"),
      nb::arg("most"), nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

template <class T>
void bind_length(nb::module_& m) {
  bind_tight_tree<T>(m);
  if constexpr (std::is_floating_point_v<T>) bind_float_tree<T>(m);
  bind_verify<T>(m);
}

}  // namespace

void bind_paths(nb::module_& m) {
  bind_next_hops(m);
  m.def("tree_rows", &trees, nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("weights").noconvert().none(), nb::arg("zones").noconvert().none(),
        nb::arg("sources").noconvert(), nb::arg("dist").noconvert(), nb::arg("pred").noconvert(),
        nb::arg("threads") = 1);
  bind_length<std::uint16_t>(m);
  bind_length<std::int32_t>(m);
  bind_length<std::int64_t>(m);
  bind_length<float>(m);
  bind_length<double>(m);
}

}  // namespace apsp::bindings
