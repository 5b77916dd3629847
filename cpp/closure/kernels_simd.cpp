// Unions of bit rows through tables of 256, Arlazarov, Dinic, Kronrod and Faradzev 1970: 64 rows take 8
// look-ups per row instead of up to 64 unions. Compiled once per instruction set: see simd/dispatch.hpp. The
// loops have fixed trip counts, for the compiler to vectorise.
#include "closure/kernels.hpp"

namespace apsp::closure::APSP_SIMD {

inline void join(Word* to, const Word* from, std::int64_t words) {
  for (std::int64_t j = 0; j < words; ++j) to[j] |= from[j];
}

inline void build(const Word* rows, std::int64_t stride, std::int64_t count, std::int64_t words,
                  Word* tables) {
  for (std::int64_t group = 0; group < 8; ++group, tables += 256 * kStripWords) {
    for (std::int64_t j = 0; j < kStripWords; ++j) tables[j] = 0;
    for (int set = 1; set < 256; ++set) {
      const std::int64_t row = group * 8 + __builtin_ctz(static_cast<unsigned>(set));
      const Word* without = tables + (set & (set - 1)) * kStripWords;
      Word* with = tables + set * kStripWords;
      for (std::int64_t j = 0; j < kStripWords; ++j) with[j] = without[j];
      if (row < count) join(with, rows + row * stride, words);
    }
  }
}

inline void apply_whole(Word* c, Word set, const Word* tables) {
  Word sum[kStripWords];
  for (std::int64_t j = 0; j < kStripWords; ++j) sum[j] = c[j];
#pragma GCC unroll 8
  for (int group = 0; group < 8; ++group) {
    const Word* entry =
        tables + (group * 256 + static_cast<std::int64_t>((set >> (8 * group)) & 255)) * kStripWords;
    for (std::int64_t j = 0; j < kStripWords; ++j) sum[j] |= entry[j];
  }
  for (std::int64_t j = 0; j < kStripWords; ++j) c[j] = sum[j];
}

inline void apply(Word* c, std::int64_t stride, std::int64_t rows, const Word* index,
                  std::int64_t index_stride, std::int64_t words, const Word* tables) {
  for (std::int64_t i = 0; i < rows; ++i, c += stride) {
    const Word set = index[i * index_stride];
    if (set == 0) continue;
    if (words == kStripWords) {
      apply_whole(c, set, tables);
    } else {
      for (std::int64_t group = 0; group < 8; ++group)
        join(c, tables + (group * 256 + static_cast<std::int64_t>((set >> (8 * group)) & 255)) * kStripWords,
             words);
    }
  }
}

const UnionKernels& table() {
  static constexpr UnionKernels kTable = {&join, &build, &apply};
  return kTable;
}

}  // namespace apsp::closure::APSP_SIMD
