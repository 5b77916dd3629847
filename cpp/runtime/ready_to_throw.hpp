// The first throw of a thread takes memory for the thread, and the system ends the process where there is
// none. So threads call this when they start, while there is.
#pragma once
#include <exception>

namespace apsp {

inline void ready_to_throw() noexcept {
  [[maybe_unused]] const volatile int asked = std::uncaught_exceptions();  // or the compiler leaves it out
}

}  // namespace apsp
