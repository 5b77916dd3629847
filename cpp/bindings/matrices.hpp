// NumPy arrays in the form that the kernels need: a typed view of a matrix with contiguous rows, and dispatch
// over the dtypes.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "bindings/arrays.hpp"
#include "graph/matrix.hpp"

namespace apsp::bindings {

namespace nb = nanobind;

using AnyMatrix = nb::ndarray<nb::ndim<2>, Host>;
using AnyWeights = std::optional<AnyVector>;
using Indptr = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, Host>;
using Indices = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, Host>;
using Marks = std::optional<nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, Host>>;

template <class T, class Array>
graph::Matrix<T> matrix_view(const Array& array) {
  const auto rows = static_cast<std::int64_t>(array.shape(0)),
             columns = static_cast<std::int64_t>(array.shape(1));
  const std::int64_t stride = rows > 1 ? array.stride(0) : columns;
  if (rows > 0 && columns > 0 && ((columns > 1 && array.stride(1) != 1) || stride < columns))
    throw std::invalid_argument("a matrix must have contiguous rows that do not overlap");
  return {reinterpret_cast<T*>(array.data()), rows, columns, stride};
}

// For one of the five dtypes that distances may have.
template <class Array, class Body>
auto with_distance_type(const Array& array, Body&& body) {
  return with_type<float, double, std::int32_t, std::int64_t, std::uint16_t>(
      array, "distances must be float32, float64, int32, int64 or uint16", body);
}

// For one of the four dtypes that weights may have.
template <class Array, class Body>
auto with_weight_type(const Array& array, Body&& body) {
  return with_type<std::int32_t, std::int64_t, float, double>(
      array, "weights must be int32, int64, float32 or float64", body);
}

inline graph::WeightType weight_type(const AnyWeights& weights) {
  if (!weights) return graph::WeightType::kNone;
  return with_weight_type(*weights, []<class T>(T) { return graph::type_of<T>(); });
}

}  // namespace apsp::bindings
