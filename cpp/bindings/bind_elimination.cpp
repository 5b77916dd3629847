// Binds cpp/elimination: the tree, the factor, and rows from it or sums over them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <utility>
#include <vector>

#include "bindings/csr_arrays.hpp"
#include "bindings/factor_arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "bindings/row_sums.hpp"
#include "bindings/tree_arrays.hpp"
#include "bindings/weighings.hpp"
#include "elimination/dissection.hpp"
#include "elimination/factor.hpp"
#include "elimination/measures.hpp"
#include "elimination/rows.hpp"
#include "elimination/tree.hpp"
#include "elimination/within.hpp"

namespace apsp::bindings {
namespace {

using namespace nb::literals;
using elimination::Vertex;

nb::object tree(const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
                const std::optional<Vector<bool>>& zones, std::int64_t most, std::int64_t widest, bool best,
                const std::optional<Vector<Vertex>>& given, int threads) {
  const graph::Csr graph = csr(indptr, indices, zones);
  elimination::Tree found;
  run_monitored(nb::none(), [&](Control& control) {
    graph::check_csr(graph);
    Team team(threads);
    const elimination::Neighbours neighbours = elimination::neighbours_of(graph);
    const elimination::Effort effort = best ? elimination::kBest : elimination::Effort{};
    std::vector<Vertex> order =
        given ? std::vector<Vertex>(given->data(), given->data() + given->size())
              : elimination::elimination_order(neighbours, widest, effort, team, control);
    if (static_cast<std::int64_t>(order.size()) == graph.n)
      found = elimination::eliminate(neighbours, std::move(order), most, control);
  });
  if (found.panel_start.empty()) return nb::none();
  return nb::make_tuple(to_numpy(std::move(found.order)), to_numpy(std::move(found.first)),
                        to_numpy(std::move(found.parent)), to_numpy(std::move(found.row_start)),
                        to_numpy(std::move(found.rows)), to_numpy(std::move(found.panel_start)));
}

void check_tree(const nb::object& tree) {
  const auto rows = nb::cast<Vector<Vertex>>(tree.attr("rows"));
  elimination::check_tree(tree_view(tree), static_cast<std::int64_t>(rows.shape(0)));
}

std::int64_t factor(const nb::object& tree, const Indptr& indptr, const Indices& indices,
                    const AnyWeights& weights, const Marks& zones, bool nonnegative, const AnyValues& values,
                    int threads) {
  const elimination::TreeView view = tree_view(tree);
  const graph::WeightedArcs arcs = arcs_with_unchecked_heads(indptr, indices, weights);
  const bool* marks = marks_view(zones, arcs.n);
  require(static_cast<std::int64_t>(values.shape(0)) == view.entries(),
          "values must have one entry for each of the tree");
  std::int64_t bad_place = -1;
  with_distance_type(values, [&]<class T>(T) {
    run_monitored(nb::none(), [&](Control& control) {
      Team team(threads);
      bad_place = elimination::factorise<T>(view, arcs, marks, nonnegative,
                                            reinterpret_cast<T*>(values.data()), team, control);
    });
  });
  return bad_place < 0 ? -1 : view.order[bad_place];
}

template <class T>
bool rows_of(const elimination::Factored<T>& from, const Vector<std::int32_t>& sources,
             const std::optional<Vector<std::int32_t>>& targets, const nb::object& cutoff,
             const AnyMatrix& dist, const std::optional<Rows<std::int32_t>>& pred, int threads,
             const nb::object& progress) {
  const auto view = matrix_view<T>(dist);
  rows::RowRequest<T> request;
  request.sources = sources.data();
  request.count = static_cast<std::int64_t>(sources.shape(0));
  request.targets = data_or_null(targets);
  request.columns = targets ? static_cast<std::int64_t>(targets->shape(0)) : from.tree.n;
  if (!cutoff.is_none()) request.cutoff = nb::cast<T>(cutoff);
  require(view.rows == request.count && view.columns == request.columns,
          "dist must have a row for each source and a column for each target");
  request.dist = view.data;
  request.dist_stride = view.stride;
  if (pred) {
    require(from.nonnegative, "predecessors need weights that are not negative");
    require_shape(*pred, request.count, from.tree.n, "pred");
    request.pred = pred->data();
    request.pred_stride = pred->stride(0);
  }
  bool in_range = true;
  run_monitored(progress, [&](Control& control) {
    in_range = elimination::fill_rows(from, request, threads, control);
  });
  return in_range;
}

bool rows(const nb::object& tree, const AnyValues& values, const Indptr& indptr, const Indices& indices,
          const AnyWeights& weights, const Marks& zones, bool nonnegative,
          const Vector<std::int32_t>& sources, const std::optional<Vector<std::int32_t>>& targets,
          const nb::object& cutoff, const AnyMatrix& dist, const std::optional<Rows<std::int32_t>>& pred,
          int threads, const nb::object& progress) {
  require(dist.dtype() == values.dtype(), "dist must have the dtype of the factor");
  return with_distance_type(values, [&]<class T>(T) {
    return rows_of(factored<T>(tree, values, indptr, indices, weights, zones, nonnegative), sources, targets,
                   cutoff, dist, pred, threads, progress);
  });
}

// Sums over the rows of `sources`, of factors in uint16 and int32.
bool measures(const nb::object& tree, const AnyValues& values, const Indptr& indptr, const Indices& indices,
              const AnyWeights& weights, const Marks& zones, bool nonnegative,
              const Vector<std::int32_t>& sources, const nb::object& cutoff,
              const Numbers<std::int64_t>& reached, const Numbers<std::int64_t>& total,
              const Numbers<double>& reciprocals, const Numbers<std::int32_t>& largest,
              const Numbers<std::int32_t>& farthest, int threads, const nb::object& progress) {
  const auto count = static_cast<std::int64_t>(sources.shape(0));
  const rows::RowSums sums = row_sums(sources, reached, total, reciprocals, largest, farthest);
  return with_distance_type(values, [&]<class T>(T) -> bool {
    if constexpr (std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int32_t>) {
      const auto from = factored<T>(tree, values, indptr, indices, weights, zones, nonnegative);
      const T most = cutoff.is_none() ? semiring::kNoPath<T> : nb::cast<T>(cutoff);
      bool in_range = true;
      run_monitored(progress, [&](Control& control) {
        in_range = elimination::measure_rows<T>(from, sources.data(), count, most, sums, threads, control);
      });
      return in_range;
    } else {
      throw std::invalid_argument("sums are taken of distances in uint16 and int32");
    }
  });
}

// Sums of amounts over the vertices near every source, of factors in uint16 and int32.
void weigh(const nb::object& tree, const AnyValues& values, const Indptr& indptr, const Indices& indices,
           const AnyWeights& weights, const Marks& zones, bool nonnegative,
           const Vector<std::int32_t>& sources, const Amounts& amounts, const AnyValues& cutoffs,
           const DecayNumbers& decay, const WeighedSums& sums, int threads, const nb::object& progress) {
  require(cutoffs.dtype() == values.dtype(), "cutoffs must have the dtype of the factor");
  with_distance_type(values, [&]<class T>(T) {
    if constexpr (std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int32_t>) {
      const auto from = factored<T>(tree, values, indptr, indices, weights, zones, nonnegative);
      const auto count = static_cast<std::int64_t>(sources.shape(0));
      const auto weighing =
          weighing_of<T>(amounts, reinterpret_cast<const T*>(cutoffs.data()),
                         static_cast<std::int64_t>(cutoffs.shape(0)), decay, sums, from.tree.n, count);
      run_monitored(progress, [&](Control& control) {
        elimination::weigh_within<T>(from, sources.data(), count, weighing, threads, control);
      });
    } else {
      throw std::invalid_argument("amounts are summed over distances in uint16 and int32");
    }
  });
}

}  // namespace

void bind_elimination(nb::module_& m) {
  m.def("elimination_tree", &tree, nb::kw_only(), "indptr"_a.noconvert(), "indices"_a.noconvert(),
        "zones"_a.noconvert().none(), "most"_a, "widest"_a, "best"_a, "given"_a.noconvert().none(),
        "threads"_a);
  m.def("elimination_check", &check_tree, "tree"_a);
  m.def("elimination_factor", &factor, nb::kw_only(), "tree"_a, "indptr"_a.noconvert(),
        "indices"_a.noconvert(), "weights"_a.noconvert().none(), "zones"_a.noconvert().none(),
        "nonnegative"_a, "values"_a.noconvert(), "threads"_a);
  m.def("elimination_rows", &rows, nb::kw_only(), "tree"_a, "values"_a.noconvert(), "indptr"_a.noconvert(),
        "indices"_a.noconvert(), "weights"_a.noconvert().none(), "zones"_a.noconvert().none(),
        "nonnegative"_a, "sources"_a.noconvert(), "targets"_a.noconvert().none(), "cutoff"_a.none(),
        "dist"_a.noconvert(), "pred"_a.noconvert().none() = nb::none(), "threads"_a,
        "progress"_a.none() = nb::none());
  m.def("elimination_measures", &measures, nb::kw_only(), "tree"_a, "values"_a.noconvert(),
        "indptr"_a.noconvert(), "indices"_a.noconvert(), "weights"_a.noconvert().none(),
        "zones"_a.noconvert().none(), "nonnegative"_a, "sources"_a.noconvert(), "cutoff"_a.none(),
        "reached"_a.noconvert(), "total"_a.noconvert(), "reciprocals"_a.noconvert(), "largest"_a.noconvert(),
        "farthest"_a.noconvert(), "threads"_a, "progress"_a.none() = nb::none());
  m.def("elimination_weigh", &weigh, nb::kw_only(), "tree"_a, "values"_a.noconvert(), "indptr"_a.noconvert(),
        "indices"_a.noconvert(), "weights"_a.noconvert().none(), "zones"_a.noconvert().none(),
        "nonnegative"_a, "sources"_a.noconvert(), "amounts"_a.noconvert(), "cutoffs"_a.noconvert(), "decay"_a,
        "sums"_a.noconvert(), "threads"_a, "progress"_a.none() = nb::none());
}

}  // namespace apsp::bindings
