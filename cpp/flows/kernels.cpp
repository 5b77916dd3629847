#include "flows/kernels.hpp"

#include "flows/tree_lanes.hpp"

namespace apsp::flows {

const LaneKernels& kernels() { return APSP_IN_FORCE(table()); }
const TreeKernels& tree_kernels() { return APSP_IN_FORCE(tree_table()); }

}  // namespace apsp::flows
