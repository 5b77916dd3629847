#include "closure/kernels.hpp"

namespace apsp::closure {

const UnionKernels& union_kernels() { return APSP_IN_FORCE(table()); }

}  // namespace apsp::closure
