// Uninitialised memory for packed panels and scratch data, on separate pages.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "runtime/aligned.hpp"

namespace apsp {

struct Free {
  void operator()(void* memory) const noexcept { free_aligned(memory); }
};
template <class T>
using Buffer = std::unique_ptr<T[], Free>;

// `count` values, aligned to 4096 bytes; std::bad_alloc if there is no memory.
template <class T>
Buffer<T> buffer(std::int64_t count) {
  const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(T) + 4095) / 4096 * 4096;
  void* memory = aligned_memory(4096, std::max<std::size_t>(bytes, 4096));
  if (memory == nullptr) throw std::bad_alloc();
  return Buffer<T>(static_cast<T*>(memory));
}

}  // namespace apsp
