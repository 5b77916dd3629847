#include "own_memory.hpp"

#include <new>

#include "../shared.hpp"
#include "here.hpp"

#if defined(__linux__)
#include <link.h>
#include <pthread.h>

#include <cstdlib>
#endif

namespace apsp_emulated {

namespace {

bool touch() noexcept {
  here = {};
  try {
    plain_shared();
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

#if defined(__linux__)
// Bytes of this library's variables of a thread.
std::size_t own_bytes() {
  std::size_t bytes = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        const auto inside = reinterpret_cast<ElfW(Addr)>(&own_bytes);
        ElfW(Addr) own = 0;
        bool is_this = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          const ElfW(Addr) from = info->dlpi_addr + part.p_vaddr;
          is_this |= part.p_type == PT_LOAD && inside >= from && inside < from + part.p_memsz;
          if (part.p_type == PT_TLS) own = part.p_memsz + part.p_align;
        }
        if (is_this) *static_cast<std::size_t*>(found) = own;
        return is_this ? 1 : 0;
      },
      &bytes);
  return bytes;
}

// Records that a thread has them, without a thread-local variable.
pthread_key_t key;
const bool has_key = pthread_key_create(&key, nullptr) == 0;
const std::size_t wanted = own_bytes() + (256 << 10);
#endif

}  // namespace

bool has_own_memory() noexcept {
#if defined(__linux__)
  if (has_key && pthread_getspecific(key)) return true;
  // The memory that is freed the second time stays with the allocator, for the variables: after the first
  // time it does not map pieces of this size separately any more.
  for (int i = 0; i < 2; ++i) {
    void* volatile memory = std::malloc(wanted);
    if (!memory) return false;
    std::free(memory);
  }
  if (!touch()) return false;
  if (has_key) pthread_setspecific(key, &key);
  return true;
#else
  return touch();
#endif
}

}  // namespace apsp_emulated
