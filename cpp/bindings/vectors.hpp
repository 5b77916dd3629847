// Vectors that become arrays of NumPy.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace apsp::bindings {

// Passes the memory of a vector to NumPy without a copy.
template <class T>
nanobind::object to_numpy(std::vector<T>&& values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const std::size_t size = owned->size();
  nanobind::capsule owner(owned.release(),
                          [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(data, {size}, owner).cast();
}

}  // namespace apsp::bindings
