// The inner loops of the closure on bit rows for the instruction set in force: see four_russians.hpp, which
// three files (bit_kernels_*.cpp) compile.
#pragma once
#include <cstdint>

namespace apsp::closure {

using Word = std::uint64_t;

constexpr std::int64_t kStripWords =
    16;  // of a row treated together: 128 bytes, so that the tables fit the second-level cache
constexpr std::int64_t kTableWords = 8 * 256 * kStripWords;

struct BitKernels {
  // to |= from, `words` long.
  void (*join)(Word* to, const Word* from, std::int64_t words);
  // tables[g][x] = the union of the rows 8 g + b, b in x, for one strip (at most 64 rows, at most kStripWords
  // words).
  void (*build)(const Word* rows, std::int64_t stride, std::int64_t count, std::int64_t words, Word* tables);
  // c[i] |= the union of the rows that the bits of index[i] name, for one strip of `words` words.
  void (*apply)(Word* c, std::int64_t stride, std::int64_t rows, const Word* index, std::int64_t index_stride,
                std::int64_t words, const Word* tables);
};

const BitKernels& bit_kernels();

namespace baseline {
const BitKernels& table();
}
namespace avx2 {
const BitKernels& table();
}
namespace avx512 {
const BitKernels& table();
}

}  // namespace apsp::closure
