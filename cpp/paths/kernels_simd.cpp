// Last arcs of shortest paths from 16 sources at once, one source per SIMD lane: for a vertex v, the tight
// arcs u -> v in ascending order of weight until every lane has found one with dist[u] + weight == dist[v].
// Compiled once per instruction set: see simd/dispatch.hpp.
#include <limits>

#include "paths/kernels.hpp"
#include "simd/marks.hpp"
#include "simd/transpose.hpp"

namespace apsp::paths::APSP_SIMD {

using namespace simd::APSP_SIMD;

// Non-negative floats may have been added in any order: an arc this close is a last arc up to rounding.
template <class L>
constexpr L kCloseness = L{64} * std::numeric_limits<L>::epsilon();

template <class T>
struct Search {
  using L = Lane<T>;
  using Vector = typename Lanes<L>::Vector;
  using Numbers = typename Lanes<LaneIndex<L>>::Vector;
  using Mark = Marks<L>;
  static constexpr int kCount = Lanes<L>::kCount, kVectors = kSearchLanes / kCount;
  static constexpr L kNone = semiring::Bounds<L>::kNoPath;

  const LastArcSearch<T>& s;
  alignas(64) std::int32_t sources[kSearchLanes];  // -1 where there is none
  Vector own[kVectors];                            // distances of the current vertex
  Numbers pred[kVectors];
  Mark reached[kVectors];
  Mark open[kVectors];    // lanes that need a predecessor
  Mark lacks[kVectors];   // lanes that lack one for some vertex
  Mark uneven[kVectors];  // lanes in which a vertex of a component is not as far as the root

  // The rows as (n, 16): one vertex per line.
  void load_rows() {
    L tile[kSearchLanes][kSearchLanes];
    for (std::int64_t v = 0; v < s.n; v += kSearchLanes) {
      const std::int64_t width = s.n - v < kSearchLanes ? s.n - v : kSearchLanes;
      for (int lane = 0; lane < kSearchLanes; ++lane) {
        if (lane < s.lanes && width == kSearchLanes) {
          for (int k = 0; k < kVectors; ++k)
            Lanes<L>::store(&tile[lane][k * kCount], widened(s.dist[lane] + v + k * kCount));
        } else {
          for (int j = 0; j < kSearchLanes; ++j)
            tile[lane][j] = lane < s.lanes && j < width ? lane_value(s.dist[lane][v + j]) : kNone;
        }
      }
      transpose(tile, s.scratch + v * kSearchLanes, kSearchLanes);
    }
  }
  static Vector widened(const T* distances) {
    typedef T Narrow __attribute__((vector_size(kCount * sizeof(T))));
    Narrow narrow;
    __builtin_memcpy(&narrow, distances, sizeof narrow);
    const Vector wide = __builtin_convertvector(narrow, Vector);
    if constexpr (std::is_floating_point_v<T>) return wide;
    return pick<L>(equal<L>(wide, Lanes<L>::splat(std::numeric_limits<T>::max())), Lanes<L>::splat(kNone),
                   wide);
  }
  static L lane_value(T distance) {
    if constexpr (std::is_floating_point_v<T>) return distance;
    return distance == std::numeric_limits<T>::max() ? kNone : static_cast<L>(distance);
  }

  // Prepares vertex v; returns whether some lane needs a predecessor. A source needs none for itself.
  bool load(std::int64_t v) {
    alignas(64) L line[kSearchLanes];
    __builtin_memcpy(line, s.scratch + v * kSearchLanes, sizeof line);
    for (int lane = 0; lane < kSearchLanes; ++lane)
      line[lane] = sources[lane] == static_cast<std::int32_t>(v) ? kNone : line[lane];
    Mark all = {};
    for (int k = 0; k < kVectors; ++k) {
      own[k] = Lanes<L>::load(line + k * kCount);
      pred[k] = Lanes<LaneIndex<L>>::splat(-1);
      open[k] = reached[k] = less<L>(own[k], Lanes<L>::splat(kNone));
      if constexpr (std::is_integral_v<L>)  // no sum is equal in lanes that need nothing
        own[k] = pick<L>(reached[k], own[k], Lanes<L>::splat(L{-1}));
      all |= open[k];
    }
    return any(all);
  }

  // A copy of the data that the loops below read: the compiler cannot prove that it does not change.
  struct ArcsInto {
    std::int64_t begin, end;
    const std::int32_t* tail;
    const L* weight;
    const L* dist;

    Vector distance(std::int64_t arc, int k) const {
      return Lanes<L>::load(dist + tail[arc] * static_cast<std::int64_t>(kSearchLanes) + k * kCount);
    }
    // Arcs are tried some at a time: a check after each whether all lanes are done takes longer than the arcs
    // that it saves.
    std::int64_t batch_end(std::int64_t arc) const {
      constexpr std::int64_t kBatch = 12;
      return arc + kBatch < end ? arc + kBatch : end;
    }
  };
  ArcsInto arcs_into(std::int64_t v) const {
    return {s.rising[v], s.start[v + 1], s.tail, s.weight, s.scratch};
  }

  // Integers: equality. Distances rise strictly along the arcs found, or the component of arcs of length zero
  // is another one.
  void exact(std::int64_t v) {
    const ArcsInto in = arcs_into(v);
    std::int64_t arc = in.begin;
    Mark left = {};
    do {
      for (const std::int64_t stop = in.batch_end(arc); arc < stop; ++arc) {
        const Vector weight = Lanes<L>::splat(in.weight[arc]);
        const Numbers tail = Lanes<LaneIndex<L>>::splat(in.tail[arc]);
        for (int k = 0; k < kVectors; ++k) {
          const Mark hit = equal<L>(in.distance(arc, k) + weight, own[k]);
          pred[k] = pick<L>(hit, tail, pred[k]);
          open[k] &= ~hit;
        }
      }
      left = Mark{};
      for (int k = 0; k < kVectors; ++k) left |= open[k];
    } while (any(left) && arc < in.end);
  }

  // Floats: the smallest sum over tails that are strictly nearer, or equally far and before an arc of length
  // zero from another component; good enough if it is close to the distance and no other tail has a smaller
  // one (its distance is not smaller than that of v by rounding).
  void closest(std::int64_t v) {
    Vector best[kVectors], least[kVectors];
    for (int k = 0; k < kVectors; ++k) {  // -infinity: no sum is smaller in lanes that need nothing
      const L infinity = std::numeric_limits<L>::infinity();
      best[k] = pick<L>(open[k], Lanes<L>::splat(infinity), Lanes<L>::splat(-infinity));
      least[k] = Lanes<L>::splat(infinity);
    }
    const ArcsInto in = arcs_into(v);
    std::int64_t arc = in.begin;
    Mark left = {};
    do {
      for (const std::int64_t stop = in.batch_end(arc); arc < stop; ++arc) {
        const Vector weight = Lanes<L>::splat(in.weight[arc]);
        const Numbers tail = Lanes<LaneIndex<L>>::splat(in.tail[arc]);
        const bool flat = s.zero.component != nullptr && in.weight[arc] == L{0};
        for (int k = 0; k < kVectors; ++k) {
          const Vector from = in.distance(arc, k), candidate = from + weight;
          const Mark nearer = less<L>(from, own[k]) | (flat ? equal<L>(from, own[k]) : Mark{});
          const Mark better = less<L>(candidate, best[k]) & nearer;
          best[k] = pick<L>(better, candidate, best[k]);
          pred[k] = pick<L>(better, tail, pred[k]);
          least[k] = min<L>(candidate, least[k]);
        }
      }
      left = Mark{};
      for (int k = 0; k < kVectors; ++k) left |= less<L>(own[k], best[k]);
    } while (any(left) && arc < in.end);
    for (int k = 0; k < kVectors; ++k) {
      const Mark inexact = less<L>(own[k], best[k]);
      const Mark far = inexact & (less<L>(own[k] + own[k] * Lanes<L>::splat(kCloseness<L>), best[k]) |
                                  less<L>(least[k], best[k]));
      pred[k] = pick<L>(far, Lanes<LaneIndex<L>>::splat(-1), pred[k]);
      open[k] &= far;
    }
  }

  // Vertex v of a component of arcs of length zero: notes the lanes in which paths enter it there; in the
  // others, its tree leads to v.
  void follow_root(std::int64_t v) {
    const graph::ZeroView& zero = s.zero;
    const std::int64_t c = zero.component[v];
    const L* root = s.scratch + zero.members[zero.start[c]] * std::int64_t{kSearchLanes};
    const L* here = s.scratch + v * kSearchLanes;
    std::int32_t* entries = s.entries + c * kSearchLanes;
    const Numbers before = Lanes<LaneIndex<L>>::splat(zero.before[v]);
    for (int k = 0; k < kVectors; ++k) {
      const auto entered = bits<L>(reached[k] & ~open[k]);
      for (int lane = 0; lane < kCount; ++lane)
        if (((entered >> lane) & 1u) && zero.place[v] < entries[k * kCount + lane])
          entries[k * kCount + lane] = zero.place[v];
      pred[k] = pick<L>(open[k], before, pred[k]);
      open[k] = Mark{};
      if constexpr (std::is_floating_point_v<L>) {
        const Vector there = Lanes<L>::load(root + k * kCount);
        const Vector found = Lanes<L>::load(here + k * kCount);
        uneven[k] |= less<L>(there, found) | less<L>(found, there);
      }
    }
  }

  void find(std::int64_t v, std::int32_t* found) {
    const bool needed = load(v);
    if (needed) {
      if constexpr (std::is_floating_point_v<L>) {
        closest(v);
      } else {
        exact(v);
      }
      if (s.zero.component != nullptr && s.zero.component[v] != graph::kAlone) follow_root(v);
    }
    for (int k = 0; k < kVectors; ++k) {
      if (needed) lacks[k] |= open[k];
      if constexpr (sizeof(L) == 4) {
        Lanes<std::int32_t>::store(found + k * kCount, pred[k]);
      } else {
        for (int lane = 0; lane < kCount; ++lane)
          found[k * kCount + lane] = static_cast<std::int32_t>(pred[k][lane]);
      }
    }
  }

  std::uint32_t run() {
    for (int lane = 0; lane < kSearchLanes; ++lane) sources[lane] = lane < s.lanes ? s.sources[lane] : -1;
    load_rows();
    if (s.zero.component != nullptr)
      for (std::int64_t i = 0; i < s.zero.count * kSearchLanes; ++i) s.entries[i] = graph::kNoEntry;
    alignas(64) std::int32_t found[kSearchLanes][kSearchLanes], rows[kSearchLanes][kSearchLanes];
    for (std::int64_t v = 0; v < s.n; v += kSearchLanes) {
      const std::int64_t width = s.n - v < kSearchLanes ? s.n - v : kSearchLanes;
      for (std::int64_t j = 0; j < width; ++j) find(v + j, found[j]);
      if (s.lanes == kSearchLanes && width == kSearchLanes) {
        transpose_to(found, [&](int lane) { return s.pred[lane] + v; });
        continue;
      }
      transpose(found, rows[0], kSearchLanes);
      for (std::int64_t lane = 0; lane < s.lanes; ++lane)
        __builtin_memcpy(s.pred[lane] + v, rows[lane],
                         static_cast<std::size_t>(width) * sizeof(std::int32_t));
    }
    std::uint32_t incomplete = 0;
    for (int k = 0; k < kVectors; ++k)
      incomplete |= (bits<L>(lacks[k]) | bits<L>(uneven[k]) << kSearchLanes) << (k * kCount);
    return incomplete;
  }
};

template <class T>
std::uint32_t search(const LastArcSearch<T>& s) {
  return Search<T>{s, {}, {}, {}, {}, {}, {}, {}}.run();
}

template std::uint32_t search(const LastArcSearch<std::uint16_t>&);
template std::uint32_t search(const LastArcSearch<std::int32_t>&);
template std::uint32_t search(const LastArcSearch<std::int64_t>&);
template std::uint32_t search(const LastArcSearch<float>&);
template std::uint32_t search(const LastArcSearch<double>&);

}  // namespace apsp::paths::APSP_SIMD
