// The variables of a thread of an emulated GPU: its place in the block and the grid. One per thread of
// the CPU; the scheduler writes `thread` and `block` before it runs or resumes a thread of the GPU.
#pragma once
#include <cstdint>

namespace apsp_emulated {

struct Index {
  int x = 0, y = 0, z = 0;
};

constexpr int kWarp = 32;
constexpr int kMostThreads = 1024;          // of a block
constexpr int kMostArgumentBytes = 4096;    // of a launch, as in CUDA
constexpr int kMostSharedBytes = 96 << 10;  // dynamic shared memory of a block

class Block;

struct Here {
  Index thread, block, block_size, grid_size;
  Block* scheduler = nullptr;
};

extern __thread Here here;  // not thread_local: it needs no initialization, and no check for one

}  // namespace apsp_emulated
