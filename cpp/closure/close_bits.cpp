#include <algorithm>
#include <atomic>
#include <bit>
#include <stdexcept>
#include <vector>

#include "closure/closure.hpp"

namespace apsp::closure {
namespace {

constexpr std::int64_t kPivots = 64;
constexpr std::int64_t kRowsAtOnce = 2048;  // at least, since each task builds its own tables
constexpr std::int64_t kRowsOfTile = 4096;  // 512 KiB, which stay in the cache while all pivots are processed
constexpr std::int64_t kFewBits = 512;      // of the rows of a tile: so many joins take less than tables

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The tables of every thread, aligned to cache lines.
class Tables {
 public:
  explicit Tables(int threads) : memory_(static_cast<std::size_t>(threads) * kTableWords + 8) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    first_ = memory_.data() + (64 - address % 64) % 64 / sizeof(Word);
  }
  Word* of(int member) const { return first_ + member * kTableWords; }

 private:
  std::vector<Word> memory_;
  Word* first_;
};

bool is_empty(BitMatrix pivots, std::int64_t word, std::int64_t words) {
  for (std::int64_t k = 0; k < pivots.rows; ++k)
    for (std::int64_t j = word; j < word + words; ++j)
      if (pivots.row(k)[j] != 0) return false;
  return true;
}

// c[i] |= the rows of `pivots`, from `word` on, that the bits of index[i] select; c is one strip.
void unite(BitMatrix c, BitMatrix pivots, const Word* index, std::int64_t index_stride, std::int64_t word,
           Word* tables) {
  union_kernels().build(pivots.data + word, pivots.stride, pivots.rows, c.words(), tables);
  union_kernels().apply(c.data, c.stride, c.rows, index, index_stride, c.words(), tables);
}

// The same for few bits: tables would take longer than they save.
void join_selected(BitMatrix c, BitMatrix pivots, const Word* index, std::int64_t index_stride,
                   std::int64_t word) {
  for (std::int64_t i = 0; i < c.rows; ++i)
    for (Word left = index[i * index_stride]; left != 0; left &= left - 1)
      union_kernels().join(c.row(i), pivots.row(std::countr_zero(left)) + word, c.words());
}

// The number of bits of an index; some number above `most` if it is larger than that.
std::int64_t count_up_to(std::int64_t most, const Word* index, std::int64_t stride, std::int64_t rows) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < rows && count <= most; ++i) count += std::popcount(index[i * stride]);
  return count;
}

void copy_rows(BitMatrix from, BitMatrix to) {
  for (std::int64_t i = 0; i < from.rows; ++i) std::copy_n(from.row(i), from.words(), to.row(i));
}

// c[i] |= the rows of `pivots` selected by the bits of index[i]; tasks are (strip, block of rows).
void relax(BitMatrix c, BitMatrix pivots, const Word* index, const Tables& tables, Team& team,
           const Control& control) {
  const std::int64_t height = std::max(kRowsAtOnce, ceil_div(c.rows, team.size()));
  const std::int64_t strips = ceil_div(c.words(), kStripWords), blocks = ceil_div(c.rows, height);
  team.parallel_for(strips * blocks, [&](std::int64_t task, int member) {
    control.check();
    const std::int64_t word = task / blocks * kStripWords, first = task % blocks * height;
    const std::int64_t words = std::min(kStripWords, c.words() - word);
    const std::int64_t rows = std::min(height, c.rows - first);
    if (is_empty(pivots, word, words)) return;  // half of all strips in an acyclic graph in topological order
    unite({c.row(first) + word, rows, 64 * words, c.stride}, pivots, index + first, 1, word,
          tables.of(member));
  });
}

// Warshall on the 64 x 64 bits of the diagonal: tile[i] is the word of pivot i.
void close_tile(Word* tile, std::int64_t size) {
  for (std::int64_t k = 0; k < size; ++k)
    for (std::int64_t i = 0; i < size; ++i)
      if ((tile[i] >> k & 1) != 0) tile[i] |= tile[k];
}

}  // namespace

void close_bits(BitMatrix bits, Team& team, Control& control) {
  if (bits.rows != bits.columns) throw std::invalid_argument("only a square matrix can be closed");
  const std::int64_t n = bits.rows;
  const Tables tables(team.size());
  std::vector<Word> index(static_cast<std::size_t>(n)),
      old_rows(kPivots * static_cast<std::size_t>(bits.words()));
  for (std::int64_t pivot = 0; pivot < n; pivot += kPivots) {
    const std::int64_t size = std::min(kPivots, n - pivot);
    const BitMatrix pivots{bits.row(pivot), size, n, bits.stride};
    const BitMatrix old{old_rows.data(), size, n, bits.words()};
    Word tile[kPivots];
    for (std::int64_t k = 0; k < size; ++k) {
      std::copy_n(pivots.row(k), bits.words(), old.row(k));
      tile[k] = pivots.row(k)[pivot / 64];
    }
    close_tile(tile, size);
    for (std::int64_t k = 0; k < size; ++k)  // few rows: tables would take longer than they save
      for (Word left = tile[k]; left != 0; left &= left - 1)
        union_kernels().join(pivots.row(k), old.row(std::countr_zero(left)), bits.words());
    // The other rows read this panel's column before it changes; the pivots' own rows are done.
    for (std::int64_t i = 0; i < n; ++i) index[i] = i / 64 == pivot / 64 ? 0 : bits.row(i)[pivot / 64];
    relax(bits, pivots, index.data(), tables, team, control);
    control.advance(size);
  }
}

void update_bits(BitMatrix c, BitMatrix a, BitMatrix b, Team& team, Control& control) {
  if (c.rows != a.rows || c.columns != b.columns || a.columns != b.rows)
    throw std::invalid_argument("the shapes must be c (m, n), a (m, k), b (k, n)");
  const Tables tables(team.size());
  const std::int64_t strips = ceil_div(c.words(), kStripWords), blocks = ceil_div(c.rows, kRowsOfTile);
  std::vector<Word> tiles(static_cast<std::size_t>(team.size() * kRowsOfTile * kStripWords));
  team.parallel_for(strips * blocks, [&](std::int64_t task, int member) {
    const std::int64_t word = task / blocks * kStripWords, first = task % blocks * kRowsOfTile;
    const std::int64_t words = std::min(kStripWords, c.words() - word);
    const std::int64_t rows = std::min(kRowsOfTile, c.rows - first);
    const BitMatrix there{c.row(first) + word, rows, 64 * words, c.stride};
    const BitMatrix copy{tiles.data() + member * kRowsOfTile * kStripWords, rows, 64 * words, kStripWords};
    BitMatrix tile = there;  // the copy, as soon as all rows are read
    for (std::int64_t pivot = 0; pivot < b.rows; pivot += kPivots) {
      control.check();
      const BitMatrix pivots{b.row(pivot), std::min(kPivots, b.rows - pivot), b.columns, b.stride};
      const Word* index = a.row(first) + pivot / 64;
      const std::int64_t selected = count_up_to(kFewBits, index, a.stride, rows);
      if (selected == 0 || is_empty(pivots, word, words)) continue;
      if (selected <= kFewBits) {
        join_selected(tile, pivots, index, a.stride, word);
        continue;
      }
      if (tile.data == there.data) {
        copy_rows(there, copy);
        tile = copy;
      }
      unite(tile, pivots, index, a.stride, word, tables.of(member));
    }
    if (tile.data == copy.data) copy_rows(copy, there);
  });
}

std::int64_t count_bits(BitMatrix bits, Team& team, Control& control) {
  std::atomic<std::int64_t> total{0};
  team.parallel_for(ceil_div(bits.rows, 64), [&](std::int64_t block, int) {
    control.check();
    std::int64_t count = 0;
    for (std::int64_t i = block * 64; i < std::min(bits.rows, block * 64 + 64); ++i)
      for (std::int64_t j = 0; j < bits.words(); ++j) count += std::popcount(bits.row(i)[j]);
    total.fetch_add(count, std::memory_order_relaxed);
  });
  return total.load();
}

}  // namespace apsp::closure
