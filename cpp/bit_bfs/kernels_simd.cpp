// One level of a breadth-first search from 512 sources. Compiled once per instruction set: see
// simd/dispatch.hpp.
#include "bit_bfs/kernels.hpp"
#include "runtime/prefetch.hpp"
#include "simd/lanes.hpp"

namespace apsp::bit_bfs::APSP_SIMD {

constexpr int kVectorBytes = simd::APSP_SIMD::kVectorBytes;
constexpr std::int64_t kSeldom = 0x3ff;  // vertices between two checks whether to stop

struct Bits {
  typedef std::uint64_t Part __attribute__((vector_size(kVectorBytes)));
  static constexpr int kParts = kBitWords * 8 / kVectorBytes, kWords = kBitWords / kParts;
  Part part[kParts];

  // Part by part: a copy of the whole would go through memory if a vector is half of it.
  static Bits load(const std::uint64_t* from) {
    Bits bits;
    for (int k = 0; k < kParts; ++k) __builtin_memcpy(&bits.part[k], from + k * kWords, sizeof(Part));
    return bits;
  }
  void store(std::uint64_t* to) const {
    for (int k = 0; k < kParts; ++k) __builtin_memcpy(to + k * kWords, &part[k], sizeof(Part));
  }
  void join(const Bits& other) {
    for (int k = 0; k < kParts; ++k) part[k] |= other.part[k];
  }
  void remove(const Bits& other) {
    for (int k = 0; k < kParts; ++k) part[k] &= ~other.part[k];
  }
  bool any() const {
    Part all = part[0];
    for (int k = 1; k < kParts; ++k) all |= part[k];
#if defined(__AVX512BW__)
    return _mm512_test_epi64_mask((__m512i)all, (__m512i)all) != 0;
#elif defined(__AVX2__)
    return _mm256_testz_si256((__m256i)all, (__m256i)all) == 0;
#else
    return (all[0] | all[1]) != 0;
#endif
  }
};

inline std::uint64_t* line(std::uint64_t* lines, std::int64_t v) { return lines + v * kBitWords; }

// The bits are new at vertex v.
inline void enter(BitSearch& s, std::int64_t v, const Bits& fresh, const Bits& seen, std::int64_t level) {
  Bits both = seen;
  both.join(fresh);
  both.store(line(s.seen, v));
  if (!seen.any()) s.first[v] = static_cast<std::uint16_t>(level);
  const std::int64_t later = level - s.first[v];
  if (later > s.widest) s.widest = later;
  for (std::int64_t digits = later; digits != 0; digits &= digits - 1) {
    std::uint64_t* plane = line(s.planes[__builtin_ctzll(static_cast<std::uint64_t>(digits))], v);
    Bits ones = Bits::load(plane);
    ones.join(fresh);
    ones.store(plane);
  }
}

inline void settle(BitSearch& s, std::int64_t count, std::int64_t level) {
  s.waiting = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t v = s.found[i];
    s.marks[v] = 0;
    Bits fresh = Bits::load(line(s.next, v));
    Bits{}.store(line(s.next, v));
    const Bits seen = Bits::load(line(s.seen, v));
    fresh.remove(seen);
    if (!fresh.any()) continue;
    enter(s, v, fresh, seen, level);
    fresh.store(line(s.frontier, v));
    s.active[s.waiting++] = v;
  }
}

inline bool follow(BitSearch& s, std::int64_t level) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < s.waiting; ++i) {
    const std::int32_t u = s.active[i];
    const Bits bits = Bits::load(line(s.frontier, u));
    Bits{}.store(line(s.frontier, u));
    for (std::int64_t a = s.graph.out_start[u]; a < s.graph.out_start[u + 1]; ++a) {
      const std::int32_t v = s.graph.out[a].vertex;
      Bits ahead = Bits::load(line(s.next, v));
      ahead.join(bits);
      ahead.store(line(s.next, v));
      s.found[count] = v;
      count += s.marks[v] == 0;
      s.marks[v] = 1;
    }
    if ((i & kSeldom) == kSeldom && s.stopped(s.control)) return false;
  }
  settle(s, count, level);
  return true;
}

inline bool gather(BitSearch& s, std::int64_t level) {
  const Bits everyone = Bits::load(s.everyone);
  s.waiting = 0;
  for (std::int64_t v = 0; v < s.graph.n; ++v) {
    const Bits seen = Bits::load(line(s.seen, v));
    Bits lacks = everyone, fresh = {};
    lacks.remove(seen);
    if (lacks.any()) {
      for (std::int64_t a = s.graph.in_start[v]; a < s.graph.in_start[v + 1]; ++a) {
        prefetch(line(s.frontier, s.graph.in[a + rows::kArcsAhead].vertex));
        fresh.join(Bits::load(line(s.frontier, s.graph.in[a].vertex)));
      }
      fresh.remove(seen);
      if (fresh.any()) {
        enter(s, v, fresh, seen, level);
        s.active[s.waiting++] = static_cast<std::int32_t>(v);
      }
    }
    fresh.store(line(s.next, v));
    if ((v & kSeldom) == kSeldom && s.stopped(s.control)) return false;
  }
  std::uint64_t* stale = s.frontier;
  s.frontier = s.next;
  s.next = stale;
  return true;
}

#if !defined(__AVX512BW__)
// Lanes of 16 bits: all ones where the bit of the lane is set.
typedef std::uint16_t Short __attribute__((vector_size(kVectorBytes)));
constexpr int kShorts = kVectorBytes / 2;
inline Short repeated(std::uint16_t value) { return value - Short{}; }
inline Short spread(std::uint64_t word, int first) {
  constexpr std::uint16_t kOne[16] = {1,   2,   4,    8,    16,   32,   64,    128,
                                      256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  Short one;
  __builtin_memcpy(&one, kOne, sizeof one);
  return (Short)((repeated(static_cast<std::uint16_t>(word >> first)) & one) == one);
}
#endif

inline void levels(const BitSearch& s, int word, const std::int32_t* vertices, std::int64_t count,
                   std::uint16_t* labels) {
  int digits = 0;
  while ((s.widest >> digits) != 0) ++digits;
  for (std::int64_t i = 0; i < count; ++i, labels += 64) {
    const std::int64_t at = vertices[i] * static_cast<std::int64_t>(kBitWords) + word;
#if defined(__AVX512BW__)
    const std::uint64_t seen = s.seen[at];
    __m512i low = _mm512_setzero_si512(), high = low;
    for (int digit = 0; digit < digits; ++digit) {
      const std::uint64_t ones = s.planes[digit][at];
      const __m512i value = _mm512_set1_epi16(static_cast<short>(1 << digit));
      low = _mm512_or_si512(low, _mm512_maskz_mov_epi16(static_cast<__mmask32>(ones), value));
      high = _mm512_or_si512(high, _mm512_maskz_mov_epi16(static_cast<__mmask32>(ones >> 32), value));
    }
    const __m512i none = _mm512_set1_epi16(-1),
                  first = _mm512_set1_epi16(static_cast<short>(s.first[vertices[i]]));
    low = _mm512_add_epi16(low, first);
    high = _mm512_add_epi16(high, first);
    _mm512_storeu_si512(labels, _mm512_mask_mov_epi16(none, static_cast<__mmask32>(seen), low));
    _mm512_storeu_si512(labels + 32, _mm512_mask_mov_epi16(none, static_cast<__mmask32>(seen >> 32), high));
#else
    for (int first = 0; first < 64; first += kShorts) {
      Short later = {};
      for (int digit = 0; digit < digits; ++digit)
        later |= spread(s.planes[digit][at], first) & repeated(static_cast<std::uint16_t>(1 << digit));
      const Short level = (later + repeated(s.first[vertices[i]])) | ~spread(s.seen[at], first);
      __builtin_memcpy(labels + first, &level, sizeof level);
    }
#endif
  }
}

const LevelKernels& table() {
  static constexpr LevelKernels kTable = {follow, gather, settle, levels};
  return kTable;
}

}  // namespace apsp::bit_bfs::APSP_SIMD
