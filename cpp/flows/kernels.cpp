#include "flows/kernels.hpp"

namespace apsp::flows {

const LaneKernels& kernels() { return APSP_IN_FORCE(table()); }

}  // namespace apsp::flows
