// Allocations that can be made to fail, for one test program: this file replaces operator new and operator
// delete, and must be included once per program.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>

#include "tests/check.hpp"

namespace {

std::atomic<std::int64_t> allocations{0}, first_to_fail{0}, last_to_fail{0}, alive{0};

bool fails() {
  const std::int64_t number = ++allocations;
  return number >= first_to_fail.load() && number <= last_to_fail.load();
}

}  // namespace

// -- the allocations of the kernels: operator new, and aligned_alloc with free, which the linker renames --

extern "C" {
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
void __real_free(void* memory);

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  void* memory = fails() ? nullptr : __real_aligned_alloc(alignment, size);
  if (memory) ++alive;
  return memory;
}
void __wrap_free(void* memory) {
  if (memory) --alive;
  __real_free(memory);
}
}

void* operator new(std::size_t size) {
  void* memory = fails() ? nullptr : std::malloc(size ? size : 1);
  if (!memory) throw std::bad_alloc();
  ++alive;
  return memory;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  void* memory = fails() ? nullptr : __real_aligned_alloc(step, (size + step) / step * step);
  if (!memory) throw std::bad_alloc();
  ++alive;
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  void* memory = fails() ? nullptr : std::malloc(size ? size : 1);
  if (memory) ++alive;
  return memory;
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& none) noexcept {
  return operator new(size, none);
}
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void operator delete(void* memory) noexcept { __wrap_free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { __wrap_free(memory); }
void operator delete(void* memory, std::size_t) noexcept { __wrap_free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { __wrap_free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { __wrap_free(memory); }
void operator delete[](void* memory) noexcept { __wrap_free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { __wrap_free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { __wrap_free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { __wrap_free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { __wrap_free(memory); }

namespace {

constexpr std::int64_t kTries = 250;  // at most, spread over the allocations of a job

void check_job(const char* name, const std::function<void()>& job) {
  first_to_fail = last_to_fail = 0;
  job();  // data that is created once and kept is created now
  const std::int64_t before = allocations;
  job();
  const std::int64_t count = allocations - before;
  CHECK(count > 0);
  const std::int64_t step = count / kTries + 1;
  std::int64_t arrived = 0;
  for (const bool for_good : {false, true}) {
    for (std::int64_t k = 1; k <= count; k += step) {
      const std::int64_t kept = alive;
      allocations = 0;
      last_to_fail = for_good ? INT64_MAX : k;
      first_to_fail = k;
      try {
        job();
      } catch (const std::bad_alloc&) {
        ++arrived;
      }
      first_to_fail = last_to_fail = 0;
      if (alive != kept) std::fprintf(stderr, "%s: allocation %lld\n", name, static_cast<long long>(k));
      CHECK(alive == kept);
    }
  }
  if (arrived == 0) std::fprintf(stderr, "%s\n", name);
  CHECK(arrived > 0);
}

}  // namespace
