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
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/buffer.hpp"

namespace apsp::bindings {

namespace nb = nanobind;

inline void require(bool claim, const std::string& otherwise) {
  if (!claim) throw std::invalid_argument(otherwise);
}

// Memory of the CPU. Unlike with nb::device::cpu, signatures do not repeat it for every array.
struct Host {
  static constexpr auto name = nb::detail::descr<0>();
  static constexpr int value = nb::device::cpu::value;
  static constexpr bool is_device_type = true;
};

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, Host>;
template <class T>
using Numbers = nb::ndarray<T, nb::ndim<1>, nb::c_contig, Host>;

using AnyVector = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, Host>;

// Rows may lie further apart than their length; inside a row the elements are neighbours.
template <class T>
using Rows = nb::ndarray<T, nb::ndim<2>, Host>;

template <class... Ts>
void require_length(const nb::ndarray<Ts...>& vector, std::int64_t length, const char* name) {
  require(static_cast<std::int64_t>(vector.shape(0)) == length,
          std::string(name) + " must have " + std::to_string(length) + " elements");
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

// body(T{}) for the dtype T of `array`, one of Ts.
template <class T, class... Ts, class Array, class Body>
auto with_type(const Array& array, const char* otherwise, Body&& body) {
  if (array.dtype() == nb::dtype<T>()) return body(T{});
  if constexpr (sizeof...(Ts) > 0)
    return with_type<Ts...>(array, otherwise, body);
  else
    throw std::invalid_argument(otherwise);
}

// The elements of an array whose dtype is known to be T.
template <class T>
const T* elements(const AnyVector& vector) {
  require(vector.dtype() == nb::dtype<T>(), "arrays of one call must have the same dtype");
  return static_cast<const T*>(vector.data());
}
template <class T>
const T* elements_or_null(const std::optional<AnyVector>& vector) {
  return vector ? elements<T>(*vector) : nullptr;
}

// What functions return.
template <class T>
using Returned = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using AnyReturned = nb::ndarray<nb::numpy, nb::ndim<1>>;
template <class... Ts>
using Tuple = nb::typed<nb::tuple, Ts...>;

// A number that comes in or goes out for arrays of any dtype.
using Number = std::variant<std::int64_t, double>;

template <class T>
Number number_of(T value) {
  return static_cast<std::conditional_t<std::is_integral_v<T>, std::int64_t, double>>(value);
}

template <class T>
T number_as(const Number& number) {
  if constexpr (std::is_integral_v<T>) {
    const auto* whole = std::get_if<std::int64_t>(&number);
    require(whole != nullptr && std::in_range<T>(*whole), "a number does not fit the dtype of its array");
    return static_cast<T>(*whole);
  } else {
    return std::visit([](auto value) { return static_cast<T>(value); }, number);
  }
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
