// Time that the calling thread has spent working, if the system reports it; else elapsed time.
#pragma once
#include <chrono>
#include <cstdint>
#include <ctime>

namespace apsp {

// In nanoseconds, from an arbitrary start.
inline std::int64_t thread_time() noexcept {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
#endif
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace apsp
