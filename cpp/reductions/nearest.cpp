#include "reductions/nearest.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "runtime/team.hpp"

namespace apsp::reductions {

template <class T>
void nearest(const DistanceRows<T>& rows, const std::int32_t* sources, std::int64_t k, std::int32_t* columns,
             T* distances, int threads, Control& control) {
  constexpr T none = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                          : std::numeric_limits<T>::max();
  if (k <= 0) return;
  Team team(threads);
  team.parallel_for(rows.rows, [&](std::int64_t i, int) {
    const T* row = rows.data + i * rows.stride;
    // A heap of the k best so far, the worst on top. Columns come in order, so an equal distance never
    // displaces one.
    std::vector<std::pair<T, std::int32_t>> best;
    best.reserve(static_cast<std::size_t>(std::min(k, rows.columns)));
    for (std::int64_t j = 0; j < rows.columns; ++j) {
      if (j % (1 << 18) == 0) control.check();
      const T value = row[j];
      if (!(value < none) || j == sources[i]) continue;
      if (static_cast<std::int64_t>(best.size()) < k) {
        best.emplace_back(value, static_cast<std::int32_t>(j));
        std::push_heap(best.begin(), best.end());
      } else if (value < best.front().first) {
        std::pop_heap(best.begin(), best.end());
        best.back() = {value, static_cast<std::int32_t>(j)};
        std::push_heap(best.begin(), best.end());
      }
    }
    std::sort_heap(best.begin(), best.end());
    for (std::int64_t place = 0; place < k; ++place) {
      const bool found = place < static_cast<std::int64_t>(best.size());
      columns[i * k + place] = found ? best[static_cast<std::size_t>(place)].second : -1;
      distances[i * k + place] = found ? best[static_cast<std::size_t>(place)].first : none;
    }
  });
}

#define APSP_NEAREST_FOR(T)                                                                              \
  template void nearest<T>(const DistanceRows<T>&, const std::int32_t*, std::int64_t, std::int32_t*, T*, \
                           int, Control&);
APSP_NEAREST_FOR(float)
APSP_NEAREST_FOR(double)
APSP_NEAREST_FOR(std::int32_t)
APSP_NEAREST_FOR(std::int64_t)
APSP_NEAREST_FOR(std::uint16_t)
#undef APSP_NEAREST_FOR

}  // namespace apsp::reductions
