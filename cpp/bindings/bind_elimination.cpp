// Binds cpp/elimination: the tree, the factor, and rows from it or sums over them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/factor_arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "bindings/row_sums.hpp"
#include "bindings/tree_arrays.hpp"
#include "bindings/weighings.hpp"
#include "elimination/between.hpp"
#include "elimination/dissection.hpp"
#include "elimination/factor.hpp"
#include "elimination/measures.hpp"
#include "elimination/period_factors.hpp"
#include "elimination/rows.hpp"
#include "elimination/tree.hpp"
#include "elimination/within.hpp"

namespace apsp::bindings {
namespace {

using namespace nb::literals;
using elimination::Vertex;

using TreeArrays = Tuple<Returned<Vertex>, Returned<Vertex>, Returned<Vertex>, Returned<std::int64_t>,
                         Returned<Vertex>, Returned<std::int64_t>>;

std::optional<TreeArrays> tree(const ArcArrays& arcs, std::int64_t most, std::int64_t widest, int effort,
                               const std::optional<Vector<Vertex>>& given, int threads,
                               const Progress& progress) {
  constexpr elimination::Effort kEfforts[] = {elimination::kQuick, {}, elimination::kBest};
  if (effort < 0 || effort >= std::ssize(kEfforts)) throw std::invalid_argument("no such effort");
  elimination::Tree found;
  run_monitored(progress, [&](Control& control) {
    const graph::Csr& graph = arcs.checked().csr();
    Team team(threads);
    const elimination::Neighbours neighbours = elimination::neighbours_of(graph);
    std::vector<Vertex> order =
        given ? std::vector<Vertex>(given->data(), given->data() + given->size())
              : elimination::elimination_order(neighbours, widest, kEfforts[effort], team, control);
    if (static_cast<std::int64_t>(order.size()) == graph.n)
      found = elimination::eliminate(neighbours, std::move(order), most, control);
  });
  if (found.panel_start.empty()) return std::nullopt;
  return nb::make_tuple(to_numpy(std::move(found.order)), to_numpy(std::move(found.first)),
                        to_numpy(std::move(found.parent)), to_numpy(std::move(found.row_start)),
                        to_numpy(std::move(found.rows)), to_numpy(std::move(found.panel_start)));
}

void check_tree(const Tree& tree) {
  const auto rows = nb::cast<Vector<Vertex>>(tree.attr("rows"));
  elimination::check_tree(tree_view(tree), static_cast<std::int64_t>(rows.shape(0)));
}

std::int64_t factor(const Tree& tree, const ArcArrays& arcs, bool nonnegative, const AnyValues& values,
                    int threads, const Progress& progress) {
  const elimination::TreeView view = tree_view(tree);
  const graph::WeightedArcs weighted = arcs.weighted();
  graph::check_indptr(weighted, arcs.m());
  require_length(values, view.entries(), "values");
  std::int64_t bad_place = -1;
  with_distance_type(values, [&]<class T>(T) {
    run_monitored(progress, [&](Control& control) {
      Team team(threads);
      bad_place = elimination::factorise<T>(view, weighted, arcs.zones(), nonnegative,
                                            static_cast<T*>(values.data()), team, control);
    });
  });
  return bad_place < 0 ? -1 : view.order[bad_place];
}

// The factors of several graphs that differ in their weights, none of which is negative.
void factors(const Tree& tree, const std::vector<const ArcArrays*>& periods, const AnyMatrix& values,
             int threads, const Progress& progress) {
  const elimination::TreeView view = tree_view(tree);
  std::vector<graph::WeightedArcs> weighted;
  for (const ArcArrays* arcs : periods) {
    require(arcs != nullptr, "periods must be arcs");
    weighted.push_back(arcs->weighted());
    require(
        arcs->csr().indptr == periods[0]->csr().indptr && arcs->csr().indices == periods[0]->csr().indices,
        "periods must have the same arcs");
  }
  if (weighted.empty()) return;
  graph::check_indptr(weighted[0], periods[0]->m());
  const auto fill = [&]<class T>(T) {
    const graph::Matrix<T> out = matrix_view<T>(values);
    require(out.rows == std::ssize(weighted) && out.columns == view.entries(),
            "values must have a row per period, and an entry of the factor per column");
    run_monitored(progress, [&](Control& control) {
      Team team(threads);
      elimination::factorise_periods<T>(view, weighted, periods[0]->zones(), out.data, out.stride, team,
                                        control);
    });
  };
  with_type<std::uint16_t, std::int32_t, std::int64_t>(values, "factors of periods are integers", fill);
}

bool rows(const FactorArrays& factor, const RowArrays& rows, int threads, const Progress& progress) {
  return with_distance_type(factor.values(), [&]<class T>(T) {
    const auto from = factor.with_places<T>();
    require(!rows.pred || from.nonnegative, "predecessors need weights that are not negative");
    const auto request = rows.request<T>(from.tree.n);
    bool in_range = true;
    run_monitored(progress, [&](Control& control) {
      in_range = elimination::fill_rows(from, request, threads, control);
    });
    return in_range;
  });
}

using EndVertices = nb::ndarray<const Vertex, nb::ndim<2>, nb::c_contig, Host>;
using EndNumbers = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, Host>;

elimination::Ends ends_view(const EndVertices& vertices, const EndNumbers& lengths) {
  require(vertices.shape(0) == 2 && lengths.shape(0) == 2 && vertices.shape(1) == lengths.shape(1),
          "points have two ends each");
  return {vertices.data(), lengths.data(), static_cast<std::int64_t>(vertices.shape(1))};
}

// Distances between points between the ends of arcs.
void between(const FactorArrays& factor, const EndVertices& sources, const EndNumbers& source_lengths,
             const EndVertices& targets, const EndNumbers& target_lengths, const AnyMatrix& dist, int threads,
             const Progress& progress) {
  const elimination::Ends from = ends_view(sources, source_lengths), to = ends_view(targets, target_lengths);
  const graph::Matrix<double> out =
      with_type<double>(dist, "dist must be float64", [&]<class T>(T) { return matrix_view<T>(dist); });
  require(out.rows == from.count && out.columns == to.count, "dist must have a row per source");
  with_distance_type(factor.values(), [&]<class T>(T) {
    const auto factored = factor.with_places<T>();
    require(factored.nonnegative && factored.zones == nullptr,
            "this needs a graph without negative arcs and zones");
    run_monitored(progress, [&](Control& control) {
      elimination::fill_between(factored, from, to, out.data, out.stride, threads, control);
    });
  });
}

// body(T{}) for a factor in uint16 or int32.
template <class Body>
auto with_narrow_type(const FactorArrays& factor, const Body& body) {
  return with_type<std::uint16_t, std::int32_t>(factor.values(),
                                                "sums are taken of distances in uint16 and int32", body);
}

// Sums over the rows of `sources`.
bool measures(const FactorArrays& factor, const SumArrays& sums, const std::optional<std::int64_t>& cutoff,
              int threads, const Progress& progress) {
  return with_narrow_type(factor, [&]<class T>(T) {
    const T most = cutoff ? number_as<T>(*cutoff) : semiring::kNoPath<T>;
    const rows::RowSums to = sums.view();
    bool in_range = true;
    run_monitored(progress, [&](Control& control) {
      in_range = elimination::measure_rows<T>(factor.of<T>(), sums.sources.data(), sums.count(), most, to,
                                              threads, control);
    });
    return in_range;
  });
}

// Sums of amounts over the vertices near every source.
void weigh(const FactorArrays& factor, const Vector<std::int32_t>& sources, const WeighingArrays& weighing,
           int threads, const Progress& progress) {
  with_narrow_type(factor, [&]<class T>(T) {
    const auto from = factor.of<T>();
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    const auto view = weighing.view<T>(from.tree.n, count);
    run_monitored(progress, [&](Control& control) {
      elimination::weigh_within<T>(from, sources.data(), count, view, threads, control);
    });
  });
}

}  // namespace

void bind_elimination(nb::module_& m) {
  nb::class_<FactorArrays>(m, "FactorArrays", "A factor, as kernels read it; the arrays must not change.")
      .def(nb::init<Tree, AnyValues, const ArcArrays&, AnyWeights, bool>(), nb::keep_alive<1, 4>(), "tree"_a,
           "values"_a.noconvert(), "arcs"_a, "weights"_a.noconvert().none(), "nonnegative"_a);
  m.def("elimination_tree", &tree, "arcs"_a, nb::kw_only(), "most"_a, "widest"_a, "effort"_a,
        "given"_a.noconvert().none(), "threads"_a, "progress"_a = nb::none());
  m.def("elimination_check", &check_tree, "tree"_a);
  m.def("elimination_factor", &factor, nb::kw_only(), "tree"_a, "arcs"_a, "nonnegative"_a,
        "values"_a.noconvert(), "threads"_a, "progress"_a = nb::none());
  m.def("elimination_factors", &factors, nb::kw_only(), "tree"_a, "periods"_a, "values"_a.noconvert(),
        "threads"_a, "progress"_a = nb::none());
  m.def("elimination_rows", &rows, "factor"_a, "rows"_a, "threads"_a, "progress"_a = nb::none());
  m.def("elimination_between", &between, "factor"_a, nb::kw_only(), "sources"_a.noconvert(),
        "source_lengths"_a.noconvert(), "targets"_a.noconvert(), "target_lengths"_a.noconvert(),
        "dist"_a.noconvert(), "threads"_a, "progress"_a = nb::none());
  m.def("elimination_measures", &measures, "factor"_a, "sums"_a, "cutoff"_a.none(), "threads"_a,
        "progress"_a = nb::none());
  m.def("elimination_weigh", &weigh, "factor"_a, "sources"_a.noconvert(), "weighing"_a, "threads"_a,
        "progress"_a = nb::none());
}

}  // namespace apsp::bindings
