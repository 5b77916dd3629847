// The request of a row method, and writing one row of it in the original vertex order.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "graph/csr.hpp"
#include "rows/arcs.hpp"
#include "semiring/length.hpp"

namespace apsp::rows {

template <class T>
struct RowRequest {
  const std::int32_t* sources = nullptr;  // (count,)
  std::int64_t count = 0;
  const std::int32_t* targets = nullptr;  // (columns,) or nullptr: all n vertices in order
  std::int64_t columns = 0;
  T cutoff = semiring::kNoPath<T>;  // longer lengths are reported as "no path"; itself included
  T* dist = nullptr;                // (count, columns), rows dist_stride apart
  std::int64_t dist_stride = 0;
  std::int32_t* pred = nullptr;  // (count, n), rows pred_stride apart, or nullptr
  std::int64_t pred_stride = 0;
};

template <class T>
void check_request(const RowRequest<T>& request, std::int64_t n) {
  graph::check_vertices(request.sources, request.count, n, "sources");
  if (request.targets != nullptr) graph::check_vertices(request.targets, request.columns, n, "targets");
  if (request.targets == nullptr && request.columns != n)
    throw std::invalid_argument("dist must have one column for each vertex");
}

// Marks of the internal numbers of the targets, and the number of different ones.
struct Wanted {
  std::vector<std::uint8_t> marks;
  std::int64_t count = 0;

  template <class T, class W>
  Wanted(const RowRequest<T>& request, const Arcs<W>& arcs) {
    if (request.targets == nullptr || request.columns == 0) return;
    marks.assign(arcs.n(), 0);
    for (std::int64_t i = 0; i < request.columns; ++i) {
      std::uint8_t& mark = marks[arcs.inner(request.targets[i])];
      count += mark == 0;
      mark = 1;
    }
  }
};

// labels (internal numbers) at or beyond the ceiling become "no path".
template <class T>
void write_lengths(const RowRequest<T>& request, const Arcs<T>& arcs, std::int64_t row, const T* labels,
                   T ceiling) {
  T* out = request.dist + row * request.dist_stride;
  const auto length = [&](std::int32_t v) { return labels[v] < ceiling ? labels[v] : semiring::kNoPath<T>; };
  if (request.targets != nullptr) {
    for (std::int64_t i = 0; i < request.columns; ++i) out[i] = length(arcs.inner(request.targets[i]));
  } else if (arcs.reordered()) {
    for (std::int32_t v = 0; v < request.columns; ++v) out[v] = length(arcs.inner(v));
  } else {
    for (std::int32_t v = 0; v < request.columns; ++v) out[v] = length(v);
  }
}

template <class T>
void write_parents(const RowRequest<T>& request, const Arcs<T>& arcs, std::int64_t row, const T* labels,
                   T ceiling, const std::int32_t* parents) {
  std::int32_t* out = request.pred + row * request.pred_stride;
  for (std::int32_t v = 0; v < arcs.n(); ++v) {
    const std::int32_t inner = arcs.inner(v);
    out[v] = labels[inner] < ceiling ? arcs.original(parents[inner]) : -1;
  }
  out[request.sources[row]] = -1;
}

}  // namespace apsp::rows
