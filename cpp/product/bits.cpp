// The Boolean product: rows of b as bits, and a row of c is the union of those that a row of a names.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "closure/kernels.hpp"
#include "product/product.hpp"
#include "runtime/buffer.hpp"

namespace apsp::product {
namespace {

using Word = std::uint64_t;

constexpr std::int64_t kRows = 16;  // of c in a task, which packs them with the whole of b in small products
constexpr std::int64_t kSmall = 1 << 14;  // entries of a b that is packed by each task that reads it

void pack(const bool* row, std::int64_t columns, Word* to) {
  for (std::int64_t first = 0; first < columns; first += 64, ++to) {
    const std::int64_t count = std::min<std::int64_t>(64, columns - first);
    Word word = 0;
    for (std::int64_t j = 0; j < count; ++j) word |= static_cast<Word>(row[first + j]) << j;
    *to = word;
  }
}

void unpack(const Word* words, std::int64_t columns, bool* row) {
  for (std::int64_t j = 0; j < columns; ++j) row[j] = ((words[j / 64] >> (j % 64)) & 1) != 0;
}

// found |= from; the columns that are new get pivot k. Returns how many these are.
std::int64_t join_tracked(Word* found, const Word* from, std::int64_t words, std::int32_t k,
                          std::int32_t* via) {
  std::int64_t count = 0;
  for (std::int64_t index = 0; index < words; ++index) {
    Word fresh = from[index] & ~found[index];
    found[index] |= fresh;
    count += std::popcount(fresh);
    for (; fresh != 0; fresh &= fresh - 1) via[64 * index + std::countr_zero(fresh)] = k;
  }
  return count;
}

}  // namespace

void multiply_bits(const Matrices<const bool>& a, const Matrices<const bool>& b, const Matrices<bool>& c,
                   const Matrices<std::int32_t>* via, Team& team, Control& control) {
  if (c.count() == 0 || c.rows == 0 || c.columns == 0) return;
  const std::int64_t words = (c.columns + 63) / 64, depth = a.columns;
  const auto& kernels = closure::union_kernels();
  const auto row_of_c = [&](std::int64_t matrix, std::int64_t i, const Word* right, Word* found) {
    std::fill_n(found, words, Word{0});
    std::int32_t* pivots = via == nullptr ? nullptr : via->row(matrix, i);
    if (pivots != nullptr) std::fill_n(pivots, c.columns, -1);
    const bool* names = a.row(matrix, i);
    std::int64_t left = c.columns;
    for (std::int64_t k = 0; k < depth && left > 0; ++k) {
      if (!names[k]) continue;
      if (pivots == nullptr)
        kernels.join(found, right + k * words, words);
      else
        left -= join_tracked(found, right + k * words, words, static_cast<std::int32_t>(k), pivots);
    }
    unpack(found, c.columns, c.row(matrix, i));
  };
  const bool is_small = depth * c.columns <= kSmall;
  std::vector<Buffer<Word>> rows, rights;
  for (int member = 0; member < team.size(); ++member) {
    rows.push_back(buffer<Word>(words));
    if (is_small) rights.push_back(buffer<Word>(depth * words));
  }
  if (is_small) {
    team.parallel_for(c.count(), [&](std::int64_t matrix, int member) {
      control.check();
      Word* right = rights[static_cast<std::size_t>(member)].get();
      for (std::int64_t k = 0; k < depth; ++k) pack(b.row(matrix, k), c.columns, right + k * words);
      for (std::int64_t i = 0; i < c.rows; ++i) {
        if (i % 256 == 255) control.check();
        row_of_c(matrix, i, right, rows[static_cast<std::size_t>(member)].get());
      }
      control.advance(1);
    });
    return;
  }
  const Buffer<Word> right = buffer<Word>(depth * words);
  for (std::int64_t matrix = 0; matrix < c.count(); ++matrix) {
    team.parallel_for((depth + kRows - 1) / kRows, [&](std::int64_t task, int) {
      control.check();
      for (std::int64_t k = task * kRows; k < std::min(depth, (task + 1) * kRows); ++k)
        pack(b.row(matrix, k), c.columns, right.get() + k * words);
    });
    team.parallel_for(c.rows, [&](std::int64_t i, int member) {
      control.check();
      row_of_c(matrix, i, right.get(), rows[static_cast<std::size_t>(member)].get());
    });
    control.advance(1);
  }
}

}  // namespace apsp::product
