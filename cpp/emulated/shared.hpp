// Dynamic shared memory of a block: for every launch the maximum that a launch may use.
#pragma once
#include "run/here.hpp"

namespace apsp_emulated {

extern char
    counted_shared[kMostSharedBytes];  // of the block that is counted: next to the __shared__ variables
char* plain_shared();                  // of the block that runs on this thread of the CPU

}  // namespace apsp_emulated
