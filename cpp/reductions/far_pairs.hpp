// Which vertices may be farther than a limit from some other: bounds over vertices whose distances to and
// from all others are known (hubs). d(v, t) <= d(v, u) + d(u, t) for every hub u, so that ecc(v) is at most
// the largest, over t, of the smallest of these sums.
#pragma once
#include <cstdint>

#include "runtime/control.hpp"

namespace apsp::reductions {

// Distances of some vertices to the hubs, or from the hubs to some vertices: (count, hubs), a row per vertex.
// The sum of two of them fits into T.
template <class T>
struct HubDistances {
  const T* values;
  std::int64_t count;
};

// may[v] = whether there is a t with into[v, u] + out[t, u] > limit for every hub u. The rows of `out` are in
// descending order of their first column. Cost: at most one comparison for each v, u, and t with into[v, 0] +
// out[t, 0] > limit.
template <class T>
void may_be_farther(const HubDistances<T>& into, const HubDistances<T>& out, std::int64_t hubs, T limit,
                    std::uint8_t* may, int threads, Control& control);

}  // namespace apsp::reductions
