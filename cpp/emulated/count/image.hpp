// Where the variables of this library lie in memory: __shared__ of instrumented kernels is static, so an
// access there is one to shared memory.
#pragma once
#include "range.hpp"

namespace apsp_emulated {

Range writable_image();

}  // namespace apsp_emulated
