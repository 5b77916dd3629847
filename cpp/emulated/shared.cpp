#include "shared.hpp"

#include <memory>

namespace apsp_emulated {

namespace {

struct Memory {
  alignas(128) char bytes[kMostSharedBytes];
};

}  // namespace

alignas(128) char counted_shared[kMostSharedBytes];

char* plain_shared() {
  thread_local std::unique_ptr<Memory> own(new Memory);
  return own->bytes;
}

}  // namespace apsp_emulated
