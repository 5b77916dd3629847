// One level of the search from 64 sources at once. Compiled once per instruction set: see simd/dispatch.hpp.
#include "flows/kernels.hpp"
#include "flows/tree_lanes_simd.hpp"
#include "simd/lanes.hpp"

namespace apsp::flows::APSP_SIMD {
namespace {

using Doubles = simd::APSP_SIMD::Lanes<double>;
using Vector = Doubles::Vector;
constexpr int kWidth = Doubles::kCount;
// Vectors of a line that are in registers at one time; longer lines take several passes over the arcs.
constexpr int kPass = 8 * kWidth < kLanes ? 8 * kWidth : kLanes, kParts = kPass / kWidth;

#if defined(__AVX512BW__)
using Mark = __mmask8;
inline Mark mark(std::uint64_t bits, int part) { return static_cast<Mark>(bits >> (part * kWidth)); }
inline Vector kept(Mark marks, const double* from) { return (Vector)_mm512_maskz_loadu_pd(marks, from); }
inline Vector kept(Mark marks, Vector value) { return (Vector)_mm512_maskz_mov_pd(marks, (__m512d)value); }
inline void store(Mark marks, double* to, Vector value) { _mm512_mask_storeu_pd(to, marks, (__m512d)value); }
#else
typedef std::int64_t Mark __attribute__((vector_size(simd::APSP_SIMD::kVectorBytes)));
inline Mark mark(std::uint64_t bits, int part) {
  constexpr std::int64_t kOne[4] = {1, 2, 4, 8};
  Mark one;
  __builtin_memcpy(&one, kOne, sizeof one);
  return (Mark)((((static_cast<std::int64_t>(bits >> (part * kWidth)) - Mark{}) & one) == one));
}
inline Vector kept(Mark marks, Vector value) { return (Vector)((Mark)value & marks); }
inline Vector kept(Mark marks, const double* from) { return kept(marks, Doubles::load(from)); }
inline void store(Mark marks, double* to, Vector value) {
  Doubles::store(to, (Vector)(((Mark)value & marks) | ((Mark)Doubles::load(to) & ~marks)));
}
#endif

inline double total_of(Vector value) {
  double lanes[kWidth];
  __builtin_memcpy(lanes, &value, sizeof lanes);
  for (int step = kWidth / 2; step > 0; step /= 2)
    for (int lane = 0; lane < step; ++lane) lanes[lane] += lanes[lane + step];
  return lanes[0];
}

inline std::uint64_t bits_of(std::uint64_t word, int first) {
  return kPass == 64 ? word : word >> first & ((std::uint64_t{1} << (kPass % 64)) - 1);
}

inline double* line(double* lines, std::int64_t v, int first) { return lines + v * kLanes + first; }

inline void count_pass(const LaneSearch& s, std::int64_t v, std::uint64_t wanted, int first) {
  Vector sum[kParts] = {};
  for (std::int64_t a = s.graph.in_start[v]; a < s.graph.in_start[v + 1]; ++a) {
    const std::int32_t u = s.graph.tails[a];
    const std::uint64_t bits = bits_of(s.front[u], first) & wanted;
    if (bits == 0) continue;
    const double* paths = line(s.paths, u, first);
    for (int k = 0; k < kParts; ++k) sum[k] += kept(mark(bits, k), paths + k * kWidth);
  }
  double* paths = line(s.paths, v, first);
  for (int k = 0; k < kParts; ++k) store(mark(wanted, k), paths + k * kWidth, sum[k]);
}

inline void count(const LaneSearch& s, const std::int32_t* vertices, const std::uint64_t* masks,
                  std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    for (int first = 0; first < kLanes; first += kPass) {
      const std::uint64_t wanted = bits_of(masks[i], first);
      if (wanted != 0) count_pass(s, vertices[i], wanted, first);
    }
}

template <bool kAlong>
inline void share_pass(LaneSearch& s, std::int64_t u, std::uint64_t mine, int first) {
  Vector sum[kParts] = {}, paths[kParts];
  for (int k = 0; k < kParts; ++k) paths[k] = kept(mark(mine, k), line(s.paths, u, first) + k * kWidth);
  for (std::int64_t a = s.graph.out_start[u]; a < s.graph.out_start[u + 1]; ++a) {
    const std::int32_t v = s.graph.heads[a];
    const std::uint64_t bits = bits_of(s.front[v], first) & mine;
    if (bits == 0) continue;
    const double* shares = line(s.shares, v, first);
    [[maybe_unused]] Vector flow = {};
    for (int k = 0; k < kParts; ++k) {
      const Vector share = kept(mark(bits, k), shares + k * kWidth);
      sum[k] += share;
      if constexpr (kAlong) flow += share * paths[k];
    }
    if constexpr (kAlong) s.along[s.graph.arcs[a]] += total_of(flow);
  }
  Vector through = {}, arrived = {};
  const Vector same = Doubles::splat(s.to != nullptr ? s.to[u] : 0.0);
  for (int k = 0; k < kParts; ++k) {
    const Mark marks = mark(mine, k);
    const int lane = first + k * kWidth;
    const Vector ends =
        s.to != nullptr ? kept(marks, same) : kept(marks, line(const_cast<double*>(s.demand), u, lane));
    through += sum[k] * paths[k];
    arrived += ends;
    Doubles::store(s.served + lane, Doubles::load(s.served + lane) + ends);
    Vector most = Doubles::load(s.largest + lane);
    most = most > paths[k] ? most : paths[k];
    Doubles::store(s.largest + lane, most);
    store(marks, line(s.shares, u, lane), sum[k] + ends / paths[k]);
  }
  s.through[u] += total_of(through);
  s.arrived[u] += total_of(arrived);
}

template <bool kAlong>
inline void share_all(LaneSearch& s, const std::int32_t* vertices, const std::uint64_t* masks,
                      std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    for (int first = 0; first < kLanes; first += kPass) {
      const std::uint64_t mine = bits_of(masks[i], first);
      if (mine != 0) share_pass<kAlong>(s, vertices[i], mine, first);
    }
}

inline void share(LaneSearch& s, const std::int32_t* vertices, const std::uint64_t* masks,
                  std::int64_t count) {
  if (s.along != nullptr)
    share_all<true>(s, vertices, masks, count);
  else
    share_all<false>(s, vertices, masks, count);
}

}  // namespace

const LaneKernels& table() {
  static constexpr LaneKernels kTable = {count, share};
  return kTable;
}

}  // namespace apsp::flows::APSP_SIMD
