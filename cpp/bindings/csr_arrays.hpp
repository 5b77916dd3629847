// From NumPy arrays to the graph and the request of the kernels that take CSR arrays.
#pragma once
#include <cstdint>
#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/matrices.hpp"
#include "graph/csr.hpp"
#include "rows/request.hpp"

namespace apsp::bindings {

inline graph::Csr csr(const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
                      const std::optional<Vector<bool>>& zones) {
  require(indptr.shape(0) >= 1, "indptr must have n + 1 elements");
  graph::Csr graph;
  graph.n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
  graph.m = static_cast<std::int64_t>(indices.shape(0));
  graph.indptr = indptr.data();
  graph.indices = indices.data();
  require(graph.n < INT32_MAX, "at most 2^31 - 2 vertices");
  if (zones) {
    require_shape(*zones, graph.n, "zones");
    graph.zones = reinterpret_cast<const std::uint8_t*>(zones->data());
  }
  return graph;
}

template <class T>
rows::RowRequest<T> row_request(const graph::Csr& graph, const Vector<std::int32_t>& sources,
                                const std::optional<Vector<std::int32_t>>& targets,
                                const std::optional<T>& cutoff, const Rows<T>& dist,
                                const std::optional<Rows<std::int32_t>>& pred) {
  rows::RowRequest<T> request;
  request.sources = sources.data();
  request.count = static_cast<std::int64_t>(sources.shape(0));
  request.targets = data_or_null(targets);
  request.columns = targets ? static_cast<std::int64_t>(targets->shape(0)) : graph.n;
  if (cutoff) {
    require(!(*cutoff != *cutoff), "cutoff must be a number");
    request.cutoff = *cutoff;
  }
  require_shape(dist, request.count, request.columns, "dist");
  request.dist = dist.data();
  request.dist_stride = dist.stride(0);
  if (pred) {
    require_shape(*pred, request.count, graph.n, "pred");
    request.pred = pred->data();
    request.pred_stride = pred->stride(0);
  }
  return request;
}

// The same of arrays of any dtype.
template <class T>
rows::RowRequest<T> row_request(const graph::Csr& graph, const Vector<std::int32_t>& sources,
                                const std::optional<Vector<std::int32_t>>& targets,
                                const std::optional<Number>& cutoff, const AnyMatrix& dist,
                                const std::optional<Rows<std::int32_t>>& pred) {
  require(dist.dtype() == nb::dtype<T>(), "dist must have the dtype of the searches");
  const auto limit = cutoff ? std::optional<T>(number_as<T>(*cutoff)) : std::nullopt;
  return row_request<T>(graph, sources, targets, limit, Rows<T>(dist), pred);
}

}  // namespace apsp::bindings
