// A piece of memory.
#pragma once

namespace apsp_emulated {

struct Range {
  const char *from = nullptr, *to = nullptr;
  bool contains(const void* at) const { return at >= from && at < to; }
};

}  // namespace apsp_emulated
