// Begins to read memory into the cache.
#pragma once

namespace apsp {

// GCC removes the calls of a function that does nothing but prefetch: it takes it for one without an effect.
// The empty statement is an effect, and costs no instruction. GCC takes it for one that may throw, so
// `noexcept` would add a handler to every kernel.
[[gnu::always_inline]] inline void prefetch(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}

}  // namespace apsp
