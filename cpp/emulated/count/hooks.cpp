// The functions that the compiler calls in instrumented kernels: before every load and store
// (-fsanitize=thread) and at the beginning of every basic block (-fsanitize-coverage=trace-pc). The runtime
// of these sanitizers is not linked: these functions replace it, only inside this library.
#include "tracing.hpp"

namespace apsp_emulated {

Trace* tracing = nullptr;

namespace {

inline void see(Kind kind, const void* address, int size, const void* where, bool is_volatile = false) {
  if (tracing) tracing->event(kind, address, size, where, is_volatile);
}

}  // namespace
}  // namespace apsp_emulated

using apsp_emulated::Kind;
using apsp_emulated::see;

extern "C" {

#define APSP_HOOK(name, kind, size) \
  void name(void* address) { see(Kind::kind, address, size, __builtin_return_address(0)); }
#define APSP_VOLATILE_HOOK(name, kind, size) \
  void name(void* address) { see(Kind::kind, address, size, __builtin_return_address(0), true); }
#define APSP_HOOKS(size)                                               \
  APSP_HOOK(__tsan_read##size, load, size)                             \
  APSP_HOOK(__tsan_write##size, store, size)                           \
  APSP_HOOK(__tsan_unaligned_read##size, load, size)                   \
  APSP_HOOK(__tsan_unaligned_write##size, store, size)                 \
  APSP_VOLATILE_HOOK(__tsan_volatile_read##size, load, size)           \
  APSP_VOLATILE_HOOK(__tsan_volatile_write##size, store, size)         \
  APSP_VOLATILE_HOOK(__tsan_unaligned_volatile_read##size, load, size) \
  APSP_VOLATILE_HOOK(__tsan_unaligned_volatile_write##size, store, size)
APSP_HOOKS(1)
APSP_HOOKS(2)
APSP_HOOKS(4)
APSP_HOOKS(8)
APSP_HOOKS(16)

void __tsan_read_range(void* address, unsigned long size) {
  see(Kind::load, address, static_cast<int>(size), __builtin_return_address(0));
}
void __tsan_write_range(void* address, unsigned long size) {
  see(Kind::store, address, static_cast<int>(size), __builtin_return_address(0));
}
void __sanitizer_cov_trace_pc() { see(Kind::branch, nullptr, 0, __builtin_return_address(0)); }
void __tsan_init() {}
void __tsan_atomic_thread_fence(int) {}  // one thread of the CPU runs all threads of a counted launch
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
}
