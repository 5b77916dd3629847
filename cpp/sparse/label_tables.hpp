// The tables of one instruction set. Included by label_kernels_*.cpp only: see dense/lanes.hpp about
// APSP_SIMD.
#pragma once
#include "sparse/label_parents.hpp"
#include "sparse/label_rows.hpp"
#include "sparse/label_sweeps.hpp"
#include "sparse/label_windows.hpp"

namespace apsp::sparse::APSP_SIMD {

template <class L>
const LabelKernels<L>& label_table() {
  static constexpr LabelKernels<L> kTable = {search_sweeps<L>, search_windows<L>, largest<L>, parents<L>};
  return kTable;
}

#define APSP_INSTANTIATE(L) template const LabelKernels<L>& label_table<L>();
APSP_FOR_LABELS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
#define APSP_INSTANTIATE(L, T) template void write_lanes<L, T>(const LaneRows<L, T>&);
APSP_FOR_LABELS_AND_LENGTHS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::sparse::APSP_SIMD
