// The first throw of a thread allocates memory, and the system ends the process if there is none. So threads
// call this when they start.
#pragma once
#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#endif

#include <cstddef>
#include <exception>

namespace apsp {

inline void ready_to_throw() noexcept {
  [[maybe_unused]] const volatile int asked = std::uncaught_exceptions();  // or the compiler leaves it out
}

// Whether there is memory for the data that a new thread needs at its start, besides its stack.
inline bool has_room_for_thread() noexcept {
#if defined(__unix__) || defined(__APPLE__)
  constexpr std::size_t kBytes = std::size_t{1} << 18;
  void* const room = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return room != MAP_FAILED && ::munmap(room, kBytes) == 0;
#else
  return true;
#endif
}

}  // namespace apsp
