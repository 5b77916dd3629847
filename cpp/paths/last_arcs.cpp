#include "paths/last_arcs.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::paths {

template <class T>
void LastArcs<T>::find(const std::int32_t* sources, std::int64_t lanes, const T* const* dist,
                       std::int32_t* const* pred, const Control& control) {
  control.check();
  lines_.resize(
      static_cast<std::size_t>((arcs_.n + kSearchLanes - 1) / kSearchLanes * kSearchLanes * kSearchLanes));
  const std::uint32_t incomplete =
      search_last_arcs(LastArcSearch<T>{arcs_.n, sources, lanes, dist, pred, lists_.in.start.data(),
                                        lists_.in.other.data(), lists_.in.weight.data(), lines_.data()});
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const std::int32_t source = sources[lane];
    if (closed_ != nullptr && closed_[source]) {
      // A tight arc that leaves the source is a whole path: right even if the source is closed.
      for (std::int64_t arc = lists_.out.start[source]; arc < lists_.out.start[source + 1]; ++arc)
        if (lists_.out.weight[arc] == lane_value(dist[lane][lists_.out.other[arc]]))
          pred[lane][lists_.out.other[arc]] = source;
    }
    if (((incomplete >> lane) & 1u) == 0) continue;
    control.check();
    if (!search_.join_equals(source, dist[lane], pred[lane], lists_))
      search_.grow(source, dist[lane], pred[lane], nullptr);
  }
}

#define APSP_INSTANTIATE(T) template class LastArcs<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::paths
