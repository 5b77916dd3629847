// Binds cpp/sparse: row methods on CSR arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/monitor.hpp"
#include "sparse/dijkstra.hpp"

namespace apsp::bindings {
namespace {

using sparse::QueueKind;

template <class T>
void bind_dijkstra(nb::module_& m, const char* name, QueueKind queue) {
  m.def(
      name,
      [queue](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices, const Vector<T>& weights,
              const Vector<std::int32_t>& sources, const Rows<T>& dist, const std::optional<Rows<std::int32_t>>& pred,
              const std::optional<Vector<bool>>& terminals, const std::optional<Vector<std::int32_t>>& targets,
              const std::optional<Vector<std::int32_t>>& order, std::optional<T> cutoff, int threads,
              const nb::object& progress) {
        const sparse::Csr graph = csr(indptr, indices, terminals);
        require_shape(weights, graph.m, "weights");
        if (order) require_shape(*order, graph.n, "order");
        const auto request = row_request(graph, sources, targets, cutoff, dist, pred);
        run_monitored(progress, [&](Control& control) {
          sparse::dijkstra_rows(graph, weights.data(), data_or_null(order), request, queue, threads, control);
        });
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(), nb::arg("weights").noconvert(),
      nb::arg("sources").noconvert(), nb::arg("dist").noconvert(), nb::arg("pred").noconvert() = nb::none(),
      nb::arg("terminals").noconvert() = nb::none(), nb::arg("targets").noconvert() = nb::none(),
      nb::arg("order").noconvert() = nb::none(), nb::arg("cutoff") = nb::none(), nb::arg("threads") = 1,
      nb::arg("progress") = nb::none());
}

template <class T>
void bind_length(nb::module_& m) {
  bind_dijkstra<T>(m, "dijkstra_rows", QueueKind::kHeap);
  bind_dijkstra<T>(m, "bucket_rows", QueueKind::kBuckets);
}

}  // namespace

void bind_sparse(nb::module_& m) {
  bind_length<std::uint16_t>(m);
  bind_length<std::int32_t>(m);
  bind_length<std::int64_t>(m);
  bind_length<float>(m);
  bind_length<double>(m);
}

}  // namespace apsp::bindings
