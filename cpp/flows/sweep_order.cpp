#include "flows/sweep_order.hpp"

#include <algorithm>
#include <utility>

namespace apsp::flows {

SweepOrder sweep_order(const CountedArcs& arcs, std::vector<std::uint8_t> wanted) {
  const CountedHalf& down = arcs.down;
  const auto n = static_cast<std::int64_t>(down.first.size());
  SweepOrder order;
  order.needed = std::move(wanted);
  order.level.assign(n, 0);
  order.below_start.assign(n + 1, 0);
  for (std::int64_t u = 0; u < n; ++u) {
    if (!order.needed[u]) continue;
    for (std::int64_t a = down.first[u]; a < down.last[u]; ++a) {
      order.needed[down.other[a]] = 1;
      ++order.below_start[down.other[a] + 1];
    }
  }
  for (std::int64_t v = 0; v < n; ++v) order.below_start[v + 1] += order.below_start[v];
  order.below.resize(order.below_start[n]);
  order.below_arc.resize(order.below_start[n]);
  std::vector<std::int64_t> next(order.below_start.begin(), order.below_start.end() - 1);
  for (std::int64_t u = 0; u < n; ++u) {
    if (!order.needed[u]) continue;
    for (std::int64_t a = down.first[u]; a < down.last[u]; ++a) {
      const std::int64_t at = next[down.other[a]]++;
      order.below[at] = static_cast<std::int32_t>(u);
      order.below_arc[at] = a;
    }
  }
  for (std::int64_t u = n - 1; u >= 0; --u)
    for (std::int64_t a = down.first[u]; a < down.last[u]; ++a)
      order.level[u] = std::max(order.level[u], order.level[down.other[a]] + 1);
  return order;
}

}  // namespace apsp::flows
