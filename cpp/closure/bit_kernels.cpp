#include "closure/bit_kernels.hpp"

#include "runtime/isa.hpp"

namespace apsp::closure {

const BitKernels& bit_kernels() {
#if defined(__x86_64__)
  if (isa() == Isa::kAvx512) return avx512::table();
  if (isa() == Isa::kAvx2) return avx2::table();
#endif
  return baseline::table();
}

}  // namespace apsp::closure
