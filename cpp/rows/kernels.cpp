#include "rows/kernels.hpp"

namespace apsp::rows {

template <class L, class T>
void write_lanes(const LaneRows<L, T>& rows) {
  APSP_IN_FORCE(write_lanes<L, T>(rows));
}

template <class L>
void write_lane_parents(const LaneParents<L>& parents) {
  APSP_IN_FORCE(write_lane_parents<L>(parents));
}

#define APSP_INSTANTIATE(L, T) template void write_lanes<L, T>(const LaneRows<L, T>&);
APSP_FOR_LABELS_AND_LENGTHS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
#define APSP_INSTANTIATE(L) template void write_lane_parents<L>(const LaneParents<L>&);
APSP_FOR_LABELS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::rows
