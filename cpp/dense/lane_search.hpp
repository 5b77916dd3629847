// Last arcs of shortest paths from 16 sources at once, a source a SIMD lane: for a vertex v, the tight arcs u
// -> v in ascending order of weight until every lane has found one with dist[u] + weight == dist[v]. Included
// by kernels_*.cpp only: see lanes.hpp about APSP_SIMD.
#pragma once
#include "dense/kernels.hpp"
#include "dense/lanes.hpp"

namespace apsp::dense::APSP_SIMD {

// Sums of non-negative floats come out in any order of addition: an arc this close is a last arc up to
// rounding.
template <class L>
constexpr L kCloseness = L{64} * std::numeric_limits<L>::epsilon();

// Whether any bit is set.
template <class V>
inline bool any(V mask) {
#if defined(__AVX512BW__)
  return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined(__AVX2__)
  return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
#else
  typedef std::uint64_t Words __attribute__((vector_size(kVectorBytes)));
  const Words words = (Words)mask;
  return (words[0] | words[1]) != 0;
#endif
}

template <class L>
struct Search {
  using Vector = typename Lanes<L>::Vector;
  using Mask = typename Lanes<LaneIndex<L>>::Vector;
  static constexpr int kVectors = kSearchLanes / Lanes<L>::kCount;

  const LaneSearch<L>& s;
  Vector own[kVectors];  // distances of the vertex at hand
  Mask pred[kVectors];

  // Whether some lane lacks an answer.
  bool load(std::int64_t v) {
    Mask open = {};
    for (int k = 0; k < kVectors; ++k) {
      own[k] = Lanes<L>::load(s.dist + v * kSearchLanes + k * Lanes<L>::kCount);
      pred[k] = Lanes<LaneIndex<L>>::load(s.pred + v * kSearchLanes + k * Lanes<L>::kCount);
      open |= wanted(k);
    }
    return any(open);
  }
  Mask wanted(int k) const {
    return (Mask)(pred[k] < LaneIndex<L>{0}) & (Mask)(own[k] < Lanes<L>::splat(Bounds<L>::kNoPath));
  }
  void store(std::int64_t v) const {
    for (int k = 0; k < kVectors; ++k)
      Lanes<LaneIndex<L>>::store(s.pred + v * kSearchLanes + k * Lanes<L>::kCount, pred[k]);
  }
  Vector distance(std::int32_t tail, int k) const {
    return Lanes<L>::load(s.dist + tail * static_cast<std::int64_t>(kSearchLanes) + k * Lanes<L>::kCount);
  }

  // Integers: equality, over arcs above zero only, so that distances rise strictly along the arcs found.
  void exact(std::int64_t v) {
    std::int64_t arc = s.start[v];
    while (arc < s.start[v + 1] && s.weight[arc] <= L{0}) ++arc;
    while (arc < s.start[v + 1]) {
      for (const std::int64_t stop = batch_end(arc, v); arc < stop; ++arc) {
        const Vector weight = Lanes<L>::splat(s.weight[arc]);
        const Mask tail = Lanes<LaneIndex<L>>::splat(s.tail[arc]);
        for (int k = 0; k < kVectors; ++k) {
          const Mask hit =
              (Mask)(distance(s.tail[arc], k) + weight == own[k]) & (Mask)(pred[k] < LaneIndex<L>{0});
          pred[k] = hit ? tail : pred[k];
        }
      }
      Mask open = {};
      for (int k = 0; k < kVectors; ++k) open |= wanted(k);
      if (!any(open)) return;
    }
  }

  // Floats: the smallest sum over tails that are strictly nearer; good enough if it is close to the distance.
  void closest(std::int64_t v) {
    Vector best[kVectors];
    Mask choice[kVectors];
    for (int k = 0; k < kVectors; ++k) {  // nothing beats -infinity in a lane that needs no answer
      const L infinity = std::numeric_limits<L>::infinity();
      best[k] = wanted(k) ? Lanes<L>::splat(infinity) : Lanes<L>::splat(-infinity);
      choice[k] = pred[k];
    }
    for (std::int64_t arc = s.start[v]; arc < s.start[v + 1];) {
      for (const std::int64_t stop = batch_end(arc, v); arc < stop; ++arc) {
        const Vector weight = Lanes<L>::splat(s.weight[arc]);
        const Mask tail = Lanes<LaneIndex<L>>::splat(s.tail[arc]);
        for (int k = 0; k < kVectors; ++k) {
          const Vector from = distance(s.tail[arc], k), candidate = from + weight;
          const Mask better = (Mask)(candidate < best[k]) & (Mask)(from < own[k]);
          best[k] = better ? candidate : best[k];
          choice[k] = better ? tail : choice[k];
        }
      }
      Mask open = {};
      for (int k = 0; k < kVectors; ++k) open |= (Mask)(best[k] > own[k]);
      if (!any(open)) break;
    }
    for (int k = 0; k < kVectors; ++k) {
      const Mask close = (Mask)(best[k] <= own[k] + own[k] * Lanes<L>::splat(kCloseness<L>));
      pred[k] = close ? choice[k] : pred[k];
    }
  }

  // Arcs are tried eight at a time: asking after each whether all lanes are done costs more than the tries it
  // saves.
  std::int64_t batch_end(std::int64_t arc, std::int64_t v) const {
    return arc + 8 < s.start[v + 1] ? arc + 8 : s.start[v + 1];
  }
};

template <class L>
void search(const LaneSearch<L>& s) {
  Search<L> search{s, {}, {}};
  for (std::int64_t v = 0; v < s.n; ++v) {
    if (!search.load(v)) continue;
    if constexpr (std::is_floating_point_v<L>) {
      search.closest(v);
    } else {
      search.exact(v);
    }
    search.store(v);
  }
}

template void search(const LaneSearch<std::int32_t>&);
template void search(const LaneSearch<std::int64_t>&);
template void search(const LaneSearch<float>&);
template void search(const LaneSearch<double>&);

}  // namespace apsp::dense::APSP_SIMD
