#include "rows/kernels.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::rows {

template <class L, class T>
void write_lanes(const LaneRows<L, T>& rows) {
  APSP_IN_FORCE(write_lanes<L, T>(rows));
}

template <class L>
void write_lane_parents(const LaneParents<L>& parents) {
  APSP_IN_FORCE(write_lane_parents<L>(parents));
}

template <class T>
void join_rows(const RowJoins<T>& joins, std::int64_t first, std::int64_t last) {
  APSP_IN_FORCE(join_rows<T>(joins, first, last));
}

template <class T>
void tally(const T* lines, std::int64_t lanes, std::int64_t count, const std::int32_t* vertices, T ceiling,
           const LaneTallies& to) {
  APSP_IN_FORCE(tally<T>(lines, lanes, count, vertices, ceiling, to));
}

#define APSP_INSTANTIATE(L, T) template void write_lanes<L, T>(const LaneRows<L, T>&);
APSP_FOR_LABELS_AND_LENGTHS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
#define APSP_INSTANTIATE(L) template void write_lane_parents<L>(const LaneParents<L>&);
APSP_FOR_LABELS_WITH_PARENTS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
#define APSP_INSTANTIATE(T) template void join_rows<T>(const RowJoins<T>&, std::int64_t, std::int64_t);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
#define APSP_INSTANTIATE(T) \
  template void tally<T>(const T*, std::int64_t, std::int64_t, const std::int32_t*, T, const LaneTallies&);
APSP_INSTANTIATE(std::uint8_t)
APSP_INSTANTIATE(std::uint16_t)
APSP_INSTANTIATE(std::int32_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::rows
