// Compiled once per instruction set: see simd/dispatch.hpp.
#include "label_correcting/bounded.hpp"
#include "label_correcting/kernels.hpp"
#include "label_correcting/sweeps.hpp"
#include "label_correcting/windows.hpp"

namespace apsp::label_correcting::APSP_SIMD {

template <class L>
const Kernels<L>& table() {
  static constexpr Kernels<L> kTable = {search_sweeps<L>, search_windows<L>, search_bounded<L>, largest<L>};
  return kTable;
}

#define APSP_INSTANTIATE(L) template const Kernels<L>& table<L>();
APSP_FOR_LABELS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::label_correcting::APSP_SIMD
