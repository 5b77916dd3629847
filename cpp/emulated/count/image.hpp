// The address range of the variables of this library: __shared__ of instrumented kernels is static, so an
// access in that range is an access to shared memory.
#pragma once
#include "range.hpp"

namespace apsp_emulated {

Range writable_image();

}  // namespace apsp_emulated
