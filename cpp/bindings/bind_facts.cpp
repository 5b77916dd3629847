// Binds cpp/facts: measurements and bounds of CSR arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
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
         const std::optional<Vector<bool>>& zones) {
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

template <class W>
void bind_longest_chain(nb::module_& m) {
  m.def(
      "longest_chain",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices, const Vector<W>& weights,
         const Vector<std::int32_t>& labels, const Vector<W>& inner) {
        const graph::Csr graph = csr(indptr, indices, std::nullopt);
        require_shape(weights, graph.m, "weights");
        require_shape(labels, graph.n, "labels");
        const Unlocked unlocked;
        return facts::longest_chain(graph, weights.data(), labels.data(),
                                    static_cast<std::int64_t>(inner.shape(0)), inner.data());
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("labels").noconvert(), nb::arg("inner").noconvert());
}

template <class Weight, class Length>
void bind_through_root(nb::module_& m) {
  m.def(
      "through_root",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const std::optional<Vector<Weight>>& weights, const std::optional<Vector<bool>>& zones,
         std::int32_t root, int sweeps, Length enough) {
        const graph::Csr graph = csr(indptr, indices, zones);
        if (weights) require_shape(*weights, graph.m, "weights");
        graph::check_csr(graph);
        graph::check_vertices(&root, 1, graph.n, "root");
        require(!graph.is_zone(root), "the root must not be a zone");
        const Unlocked unlocked;
        return facts::through_root<Weight, Length>(graph, data_or_null(weights), root, sweeps, enough);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("zones").noconvert() = nb::none(), nb::arg("root"),
      nb::arg("sweeps"), nb::arg("enough"));
}

}  // namespace

void bind_facts(nb::module_& m) {
  bind_depth(m);
  bind_longest_chain<std::int64_t>(m);
  bind_longest_chain<double>(m);
  bind_through_root<std::int32_t, std::int64_t>(m);
  bind_through_root<std::int64_t, std::int64_t>(m);
  bind_through_root<float, double>(m);
  bind_through_root<double, double>(m);
}

}  // namespace apsp::bindings
