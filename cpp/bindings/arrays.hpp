// The array arguments of the kernels, and their checks. Arrays are never converted or copied: the Python side
// passes the exact dtype, and a kernel that writes must write into the caller's memory.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/buffer.hpp"

namespace apsp::bindings {

namespace nb = nanobind;

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Numbers = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Rows may lie further apart than their length; inside a row the elements are neighbours.
template <class T>
using Rows = nb::ndarray<T, nb::ndim<2>, nb::device::cpu>;

inline void require(bool claim, const std::string& otherwise) {
  if (!claim) throw std::invalid_argument(otherwise);
}

template <class T>
void require_shape(const Vector<T>& vector, std::int64_t length, const char* name) {
  require(static_cast<std::int64_t>(vector.shape(0)) == length,
          std::string(name) + " must have " + std::to_string(length) + " elements");
}

template <class T>
void require_shape(const Rows<T>& rows, std::int64_t count, std::int64_t columns, const char* name) {
  require(static_cast<std::int64_t>(rows.shape(0)) == count &&
              static_cast<std::int64_t>(rows.shape(1)) == columns,
          std::string(name) + " must have shape (" + std::to_string(count) + ", " + std::to_string(columns) +
              ")");
  require(columns <= 1 || count == 0 || rows.stride(1) == 1,
          std::string(name) + " must have contiguous rows");
  require(count <= 1 || rows.stride(0) >= columns, std::string(name) + " must have rows that do not overlap");
}

template <class T>
const T* data_or_null(const std::optional<Vector<T>>& vector) {
  return vector ? vector->data() : nullptr;
}

// Passes the memory of a vector to NumPy without a copy.
template <class T>
nb::object to_numpy(std::vector<T>&& values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const std::size_t size = owned->size();
  nb::capsule owner(owned.release(),
                    [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner).cast();
}

// The same for the first `size` values of a buffer.
template <class T>
nb::object to_numpy(Buffer<T>&& values, std::int64_t size) {
  T* data = values.get();
  nb::capsule owner(data, [](void* pointer) noexcept { Free()(pointer); });
  (void)values.release();
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {static_cast<std::size_t>(size)}, owner).cast();
}

}  // namespace apsp::bindings
