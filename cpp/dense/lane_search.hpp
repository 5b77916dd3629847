// Last arcs of shortest paths from 16 sources at once, a source a SIMD lane: for a vertex v, the tight arcs u -> v in
// ascending order of weight until every lane has found one with dist[u] + weight == dist[v].
// Included by kernels_*.cpp only: see lanes.hpp about APSP_SIMD. Fixed trip counts, for the compiler to vectorise.
#include "dense/kernels.hpp"

namespace apsp::dense::APSP_SIMD {

// Sums of non-negative floats come out in any order of addition: an arc this close is a last arc up to rounding.
template <class L>
constexpr L kCloseness = L{64} * std::numeric_limits<L>::epsilon();

// Integers: equality, over arcs above zero only, so that distances rise strictly along the arcs found.
template <class L>
void search_exact(const LaneSearch<L>& s, std::int64_t v, const L* own, std::int32_t* pred, int open, L longest) {
  for (std::int64_t arc = s.start[v]; arc < s.start[v + 1] && open > 0; ++arc) {
    const L weight = s.weight[arc];
    if (weight > longest) return;
    if (weight <= L{0}) continue;
    const std::int32_t tail = s.tail[arc];
    const L* from = s.dist + tail * kSearchLanes;
    std::int32_t found = 0;
    for (int lane = 0; lane < kSearchLanes; ++lane) {
      const bool hit = (from[lane] + weight == own[lane]) & (pred[lane] < 0);
      pred[lane] = hit ? tail : pred[lane];
      found += hit;
    }
    open -= found;
  }
}

// Floats: the smallest sum over tails that are strictly nearer; good enough if it is close to the distance.
template <class L>
void search_closest(const LaneSearch<L>& s, std::int64_t v, const L* own, std::int32_t* pred, L longest) {
  L best[kSearchLanes];
  std::int32_t choice[kSearchLanes];
  const std::int64_t source_lane = v - s.first;
  for (int lane = 0; lane < kSearchLanes; ++lane) {
    best[lane] = std::numeric_limits<L>::infinity();
    choice[lane] = pred[lane];
    // A lane without a path, or with its last arc, or the source's own: nothing beats a sum of -infinity.
    if (pred[lane] >= 0 || own[lane] == Bounds<L>::kNoPath || lane == source_lane)
      best[lane] = -std::numeric_limits<L>::infinity();
  }
  const L reach = longest + longest * kCloseness<L>;
  for (std::int64_t arc = s.start[v]; arc < s.start[v + 1]; ++arc) {
    const L weight = s.weight[arc];
    if (weight > reach) break;
    const std::int32_t tail = s.tail[arc];
    const L* from = s.dist + tail * kSearchLanes;
    std::int32_t open = 0;
    for (int lane = 0; lane < kSearchLanes; ++lane) {
      const L sum = from[lane] + weight;
      const bool better = (sum < best[lane]) & (from[lane] < own[lane]);
      best[lane] = better ? sum : best[lane];
      choice[lane] = better ? tail : choice[lane];
      open += best[lane] > own[lane];
    }
    if (open == 0) break;
  }
  for (int lane = 0; lane < kSearchLanes; ++lane)
    if (best[lane] <= own[lane] + own[lane] * kCloseness<L>) pred[lane] = choice[lane];
}

template <class L>
void search(const LaneSearch<L>& s) {
  for (std::int64_t v = 0; v < s.n; ++v) {
    const L* own = s.dist + v * kSearchLanes;
    std::int32_t* pred = s.pred + v * kSearchLanes;
    std::int32_t open = 0;
    L longest = 0;
    for (int lane = 0; lane < kSearchLanes; ++lane) {
      const bool wanted = (pred[lane] < 0) & (own[lane] < Bounds<L>::kNoPath) & (s.first + lane != v);
      open += wanted;
      longest = wanted & (own[lane] > longest) ? own[lane] : longest;
    }
    if (open == 0) continue;
    if constexpr (std::is_floating_point_v<L>) {
      search_closest(s, v, own, pred, longest);
    } else {
      search_exact(s, v, own, pred, open, longest);
    }
  }
}

template void search(const LaneSearch<std::int32_t>&);
template void search(const LaneSearch<std::int64_t>&);
template void search(const LaneSearch<float>&);
template void search(const LaneSearch<double>&);

}  // namespace apsp::dense::APSP_SIMD
