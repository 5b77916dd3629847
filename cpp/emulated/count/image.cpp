#include "image.hpp"

#include "tracing.hpp"

#if defined(__APPLE__)
#include <dlfcn.h>
#include <mach-o/getsect.h>
#include <mach-o/loader.h>

namespace apsp_emulated {

Range writable_image() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&writable_image), &info)) return {};
  unsigned long size = 0;
  const auto* header = static_cast<const mach_header_64*>(info.dli_fbase);
  const char* from = reinterpret_cast<const char*>(getsegmentdata(header, "__DATA", &size));
  return {from, from + size};
}

}  // namespace apsp_emulated

#else
#include <link.h>

namespace apsp_emulated {

Range writable_image() {
  static const Range found = [] {
    Range range;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
          auto* wanted = static_cast<Range*>(data);
          const auto* inside = reinterpret_cast<const char*>(&tracing);
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& part = info->dlpi_phdr[i];
            const auto* from = reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
            if (part.p_type == PT_LOAD && (part.p_flags & PF_W) && inside >= from &&
                inside < from + part.p_memsz) {
              *wanted = {from, from + part.p_memsz};
              return 1;
            }
          }
          return 0;
        },
        &range);
    return range;
  }();
  return found;
}

}  // namespace apsp_emulated
#endif
