// Dynamic shared memory of a block: as much for every launch as a launch may ask for.
#pragma once
#include "run/here.hpp"

namespace apsp_emulated {

extern char
    counted_shared[kMostSharedBytes];  // of the block that is counted: where __shared__ variables lie too
char* plain_shared();                  // of the block that runs on this thread of the CPU

}  // namespace apsp_emulated
