// Binds the skims of cpp/elimination and cpp/searches: several costs along shortest paths.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "bindings/tree_arrays.hpp"
#include "elimination/skims.hpp"
#include "searches/skims.hpp"

namespace apsp::bindings {
namespace {

using namespace nb::literals;
using CostArray = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, Host>;
using Skims = nb::ndarray<double, nb::ndim<3>, nb::c_contig, Host>;

// use(Costs<kSize>{}) for the number of costs in the arrays.
template <class Use>
void with_size(std::size_t size, const Use& use) {
  if (size == 2) return use(semiring::Costs<2>{});
  if (size == 4) return use(semiring::Costs<4>{});
  if (size == 8) return use(semiring::Costs<8>{});
  require(size == 16, "there must be 2, 4, 8 or 16 costs");
  use(semiring::Costs<16>{});
}

semiring::CostMatrices matrices_of(const CostArray& costs, std::int64_t m,
                                   const Vector<std::int32_t>& sources, const Vector<std::int32_t>& targets,
                                   const Skims& out) {
  require(static_cast<std::int64_t>(costs.shape(0)) == m, "costs must have a row for each arc");
  require(
      out.shape(1) == sources.shape(0) && out.shape(2) == targets.shape(0) && out.shape(0) <= costs.shape(1),
      "out must have shape (kinds, sources, targets), with at most as many kinds as costs");
  const auto length = [&](std::size_t axis) { return static_cast<std::int64_t>(out.shape(axis)); };
  return {out.data(), length(0), length(1), length(2)};
}

using Values = nb::ndarray<double, nb::ndim<1>, nb::c_contig, Host>;
using OtherValues = nb::ndarray<double, nb::ndim<2>, nb::c_contig, Host>;

elimination::CostArcs arcs_of(const ArcArrays& arcs, const CostArray& costs, std::int64_t n) {
  require(arcs.n() == n, "the tree and the graph must have the same number of vertices");
  require(costs.shape(1) >= 1 && static_cast<std::int64_t>(costs.shape(0)) == arcs.m(),
          "costs must have a row for each arc");
  return {arcs.csr(), costs.data(), static_cast<std::int64_t>(costs.shape(1)) - 1};
}

elimination::CostFactor factor_of(const elimination::TreeView& tree, const elimination::CostArcs& arcs,
                                  const Values& first, const OtherValues& others) {
  const auto entries = static_cast<std::size_t>(tree.entries()), kinds = static_cast<std::size_t>(arcs.kinds);
  require(first.shape(0) == entries && others.shape(0) == entries && others.shape(1) == kinds,
          "the factor must have the costs of each entry of the tree");
  return {first.data(), others.data(), arcs.kinds};
}

void factor(const Tree& tree, const ArcArrays& arcs, const CostArray& costs, const Values& first,
            const OtherValues& others, int threads) {
  const elimination::TreeView view = tree_view(tree);
  const elimination::CostArcs with_costs = arcs_of(arcs, costs, view.n);
  const elimination::CostFactor values = factor_of(view, with_costs, first, others);
  run_monitored(nb::none(), [&](Control& control) {
    arcs.checked();
    Team team(threads);
    elimination::factorise_costs(view, with_costs, values, team, control);
  });
}

void by_elimination(const Tree& tree, const ArcArrays& arcs, const CostArray& costs, const Values& first,
                    const OtherValues& others, const Vector<std::int32_t>& sources,
                    const Vector<std::int32_t>& targets, const Skims& out, int threads,
                    const Progress& progress) {
  const elimination::TreeView view = tree_view(tree);
  const elimination::CostArcs with_costs = arcs_of(arcs, costs, view.n);
  const auto matrices = matrices_of(costs, arcs.m(), sources, targets, out);
  const elimination::CostFactor values = factor_of(view, with_costs, first, others);
  run_monitored(progress, [&](Control& control) {
    arcs.checked();
    Team team(threads);
    elimination::fill_skims(view, with_costs, values, sources.data(), targets.data(), matrices, team,
                            control);
  });
}

void by_searches(const ArcArrays& arcs, const CostArray& costs, const Vector<std::int32_t>& sources,
                 const Vector<std::int32_t>& targets, const Skims& out, int threads,
                 const Progress& progress) {
  const auto matrices = matrices_of(costs, arcs.m(), sources, targets, out);
  with_size(costs.shape(1), [&]<int kSize>(semiring::Costs<kSize>) {
    run_monitored(progress, [&](Control& control) {
      searches::fill_skims<kSize>(arcs.csr(), reinterpret_cast<const semiring::Costs<kSize>*>(costs.data()),
                                  sources.data(), targets.data(), matrices, threads, control);
    });
  });
}

}  // namespace

void bind_skims(nb::module_& m) {
  m.def("skims_factor", &factor, nb::kw_only(), "tree"_a, "arcs"_a, "costs"_a.noconvert(),
        "first"_a.noconvert(), "others"_a.noconvert(), "threads"_a);
  m.def("skims_by_elimination", &by_elimination, nb::kw_only(), "tree"_a, "arcs"_a, "costs"_a.noconvert(),
        "first"_a.noconvert(), "others"_a.noconvert(), "sources"_a.noconvert(), "targets"_a.noconvert(),
        "out"_a.noconvert(), "threads"_a, "progress"_a = nb::none());
  m.def("skims_by_searches", &by_searches, nb::kw_only(), "arcs"_a, "costs"_a.noconvert(),
        "sources"_a.noconvert(), "targets"_a.noconvert(), "out"_a.noconvert(), "threads"_a,
        "progress"_a = nb::none());
}

}  // namespace apsp::bindings
