// Binds cpp/facts: measurements and bounds of CSR arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <cstdint>
#include <optional>
#include <type_traits>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "facts/condensation.hpp"
#include "facts/depth.hpp"
#include "facts/through_root.hpp"

namespace apsp::bindings {
namespace {

void bind_depth(nb::module_& m) {
  m.def(
      "depth",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const std::optional<Vector<bool>>& zones) -> Tuple<std::int64_t, double> {
        const graph::Csr graph = csr(indptr, indices, zones);
        facts::Depth found;
        run_monitored(
            nb::none(), [&](Control& control) { found = facts::depth(graph, control); }, 1,
            graph.n + graph.m);
        return nb::make_tuple(found.arcs, found.reached);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("zones").noconvert() = nb::none());
}

Number longest_chain(const Indptr& indptr, const Indices& indices, const AnyVector& weights,
                     const Vector<std::int32_t>& labels, const AnyVector& inner) {
  const graph::Csr graph = csr(indptr, indices, std::nullopt);
  require_length(weights, graph.m, "weights");
  require_shape(labels, graph.n, "labels");
  return with_type<std::int64_t, double>(weights, "weights must be int64 or float64", [&]<class W>(W) {
    const auto* lengths = elements<W>(weights);
    const auto* within = elements<W>(inner);
    const Unlocked unlocked;
    return number_of(facts::longest_chain(graph, lengths, labels.data(),
                                          static_cast<std::int64_t>(inner.shape(0)), within));
  });
}

std::optional<Number> through_root(const Indptr& indptr, const Indices& indices, const AnyWeights& weights,
                                   const Marks& zones, std::int32_t root, int sweeps, const Number& enough) {
  const graph::Csr graph = csr(indptr, indices, zones);
  if (weights) require_length(*weights, graph.m, "weights");
  graph::check_csr(graph);
  graph::check_vertices(&root, 1, graph.n, "root");
  require(!graph.is_zone(root), "the root must not be a zone");
  const auto search = [&]<class Weight>(Weight) -> std::optional<Number> {
    using Length = std::conditional_t<std::is_integral_v<Weight>, std::int64_t, double>;
    const auto* lengths = elements_or_null<Weight>(weights);
    const Length limit = number_as<Length>(enough);
    const Unlocked unlocked;
    const auto found = facts::through_root<Weight, Length>(graph, lengths, root, sweeps, limit);
    return found ? std::optional(number_of(*found)) : std::nullopt;
  };
  return weights ? with_weight_type(*weights, search) : search(std::int32_t{});
}

}  // namespace

void bind_facts(nb::module_& m) {
  bind_depth(m);
  m.def("longest_chain", &longest_chain, nb::kw_only(), nb::arg("indptr").noconvert(),
        nb::arg("indices").noconvert(), nb::arg("weights").noconvert(), nb::arg("labels").noconvert(),
        nb::arg("inner").noconvert());
  m.def("through_root", &through_root, nb::kw_only(), nb::arg("indptr").noconvert(),
        nb::arg("indices").noconvert(), nb::arg("weights").noconvert().none(),
        nb::arg("zones").noconvert() = nb::none(), nb::arg("root"), nb::arg("sweeps"), nb::arg("enough"));
}

}  // namespace apsp::bindings
