#include "bit_bfs/kernels.hpp"

namespace apsp::bit_bfs {

const LevelKernels& kernels() { return APSP_IN_FORCE(table()); }

}  // namespace apsp::bit_bfs
