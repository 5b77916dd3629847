#include "reductions/far_pairs.hpp"

#include <algorithm>

#include "runtime/team.hpp"

namespace apsp::reductions {
namespace {

constexpr std::int64_t kAtOnce = 8;  // vertices that a thread takes at a time

template <class T>
bool is_near(const T* v, const T* t, std::int64_t hubs, T limit) {
  for (std::int64_t u = 1; u < hubs; ++u)
    if (v[u] + t[u] <= limit) return true;
  return false;
}

}  // namespace

template <class T>
void may_be_farther(const HubDistances<T>& into, const HubDistances<T>& out, std::int64_t hubs, T limit,
                    std::uint8_t* may, int threads, Control& control) {
  const std::int64_t blocks = (into.count + kAtOnce - 1) / kAtOnce;
  Team team(static_cast<int>(std::clamp<std::int64_t>(blocks, 1, threads)));
  team.parallel_for(blocks, [&](std::int64_t block, int) {
    control.check();
    const std::int64_t end = std::min(into.count, (block + 1) * kAtOnce);
    for (std::int64_t i = block * kAtOnce; i < end; ++i) {
      const T* v = into.values + i * hubs;
      may[i] = 0;
      for (std::int64_t j = 0; j < out.count && may[i] == 0; ++j) {
        const T* t = out.values + j * hubs;
        if (v[0] + t[0] <= limit) break;
        may[i] = is_near(v, t, hubs, limit) ? 0 : 1;
      }
    }
  });
}

template void may_be_farther(const HubDistances<std::int32_t>&, const HubDistances<std::int32_t>&,
                             std::int64_t, std::int32_t, std::uint8_t*, int, Control&);
template void may_be_farther(const HubDistances<std::int64_t>&, const HubDistances<std::int64_t>&,
                             std::int64_t, std::int64_t, std::uint8_t*, int, Control&);

}  // namespace apsp::reductions
