// The inner loops of the closure on bit rows: see simd/dispatch.hpp.
#pragma once
#include <cstdint>

#include "simd/dispatch.hpp"

namespace apsp::closure {

using Word = std::uint64_t;

constexpr std::int64_t kStripWords =
    16;  // of a row processed together: 128 bytes, so that the tables fit the second-level cache
constexpr std::int64_t kTableWords = 8 * 256 * kStripWords;

struct UnionKernels {
  // to |= from, `words` long.
  void (*join)(Word* to, const Word* from, std::int64_t words);
  // tables[g][x] = the union of the rows 8 g + b, b in x, for one strip (at most 64 rows, at most kStripWords
  // words).
  void (*build)(const Word* rows, std::int64_t stride, std::int64_t count, std::int64_t words, Word* tables);
  // c[i] |= the union of the rows selected by the bits of index[i], for one strip of `words` words.
  void (*apply)(Word* c, std::int64_t stride, std::int64_t rows, const Word* index, std::int64_t index_stride,
                std::int64_t words, const Word* tables);
};

// Those of the instruction set in force.
const UnionKernels& union_kernels();

APSP_FOR_EACH_ISA(const UnionKernels& table();)

}  // namespace apsp::closure
