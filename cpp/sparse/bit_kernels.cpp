#include "sparse/bit_kernels.hpp"

#include "runtime/isa.hpp"

namespace apsp::sparse {

const BitKernels& bit_search_kernels() {
#if defined(__x86_64__)
  if (isa() == Isa::kAvx512) return avx512::bit_search_table();
  if (isa() == Isa::kAvx2) return avx2::bit_search_table();
#endif
  return baseline::bit_search_table();
}

}  // namespace apsp::sparse
