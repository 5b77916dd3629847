// Compiled once per instruction set: see simd/dispatch.hpp.
#include "rows/join_rows.hpp"
#include "rows/kernels.hpp"
#include "rows/lane_parents.hpp"
#include "rows/lane_rows.hpp"
#include "rows/tallies.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::rows::APSP_SIMD {

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

}  // namespace apsp::rows::APSP_SIMD
