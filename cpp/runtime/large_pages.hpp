// Uninitialised memory on large pages, if the system has them: what is visited far and wide, such as lines in
// the order of a tree, would exceed the processor's cache of address translations (TLB) with small pages.
#pragma once
#include <algorithm>
#include <cstdint>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "runtime/aligned.hpp"
#include "runtime/buffer.hpp"

namespace apsp {

// `count` values; std::bad_alloc if there is no memory.
template <class T>
Buffer<T> on_large_pages(std::int64_t count) {
  constexpr std::size_t kPage = std::size_t{2} << 20;
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
  if (bytes < 2 * kPage) return buffer<T>(count);
  const std::size_t whole = (bytes + kPage - 1) / kPage * kPage;
  void* memory = aligned_memory(kPage, whole);
  if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  madvise(memory, whole, MADV_HUGEPAGE);  // advice: if it is refused, small pages are used
#endif
  return Buffer<T>(static_cast<T*>(memory));
}

}  // namespace apsp
