// Binds cpp/facts: measurements and bounds of CSR arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <cstdint>
#include <optional>
#include <type_traits>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "facts/condensation.hpp"
#include "facts/depth.hpp"
#include "facts/through_root.hpp"

namespace apsp::bindings {
namespace {

Tuple<std::int64_t, double> depth(const ArcArrays& arcs) {
  facts::Depth found;
  run_monitored(
      nb::none(), [&](Control& control) { found = facts::depth(arcs.csr(), control); }, 1,
      arcs.n() + arcs.m());
  return nb::make_tuple(found.arcs, found.reached);
}

Number longest_chain(const ArcArrays& arcs, const Vector<std::int32_t>& labels, const AnyVector& inner) {
  const graph::Csr graph = arcs.without_zones();
  require_shape(labels, graph.n, "labels");
  return with_type<std::int64_t, double>(arcs.weights(), "weights must be int64 or float64", [&]<class W>(W) {
    const auto* lengths = arcs.lengths<W>();
    const auto* within = elements<W>(inner);
    const Unlocked unlocked;
    return number_of(facts::longest_chain(graph, lengths, labels.data(),
                                          static_cast<std::int64_t>(inner.shape(0)), within));
  });
}

std::optional<Number> through_root(const ArcArrays& arcs, std::int32_t root, int sweeps,
                                   const Number& enough) {
  const graph::Csr& graph = arcs.checked().csr();
  graph::check_vertices(&root, 1, graph.n, "root");
  require(!graph.is_zone(root), "the root must not be a zone");
  const auto search = [&]<class Weight>(Weight) -> std::optional<Number> {
    using Length = std::conditional_t<std::is_integral_v<Weight>, std::int64_t, double>;
    const auto* lengths = arcs.lengths_or_null<Weight>();
    const Length limit = number_as<Length>(enough);
    const Unlocked unlocked;
    const auto found = facts::through_root<Weight, Length>(graph, lengths, root, sweeps, limit);
    return found ? std::optional(number_of(*found)) : std::nullopt;
  };
  return arcs.is_weighted() ? with_weight_type(arcs.weights(), search) : search(std::int32_t{});
}

}  // namespace

void bind_facts(nb::module_& m) {
  using namespace nb::literals;
  m.def("depth", &depth, "arcs"_a);
  m.def("longest_chain", &longest_chain, "arcs"_a, nb::kw_only(), "labels"_a.noconvert(),
        "inner"_a.noconvert());
  m.def("through_root", &through_root, "arcs"_a, nb::kw_only(), "root"_a, "sweeps"_a, "enough"_a);
}

}  // namespace apsp::bindings
