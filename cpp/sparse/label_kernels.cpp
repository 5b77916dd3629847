#include "sparse/label_kernels.hpp"

#include "runtime/isa.hpp"

namespace apsp::sparse {

template <class L>
const LabelKernels<L>& label_kernels() {
#if defined(__x86_64__)
  if (isa() == Isa::kAvx512) return avx512::label_table<L>();
  if (isa() == Isa::kAvx2) return avx2::label_table<L>();
#endif
  return baseline::label_table<L>();
}

template <class L, class T>
void write_lanes(const LaneRows<L, T>& rows) {
#if defined(__x86_64__)
  if (isa() == Isa::kAvx512) return avx512::write_lanes(rows);
  if (isa() == Isa::kAvx2) return avx2::write_lanes(rows);
#endif
  return baseline::write_lanes(rows);
}

#define APSP_INSTANTIATE(L) template const LabelKernels<L>& label_kernels<L>();
APSP_FOR_LABELS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
#define APSP_INSTANTIATE(L, T) template void write_lanes<L, T>(const LaneRows<L, T>&);
APSP_FOR_LABELS_AND_LENGTHS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::sparse
