// An elimination tree in borrowed arrays of 32-bit numbers, as a page in a browser has it
// (elimination/tree.hpp explains the arrays). No file of this folder but its tests uses a library: clang
// compiles them to WebAssembly.
#pragma once
#include <stdint.h>

namespace apsp::explore {

struct Tree {
  int32_t n = 0, nodes = 0;
  const int32_t* first = nullptr;      // (nodes + 1)
  const int32_t* row_start = nullptr;  // (nodes + 1)
  const int32_t* rows = nullptr;       // places, ascending, all after the columns of the supernode
  const int32_t* node_of = nullptr;    // (n) the supernode of each place
  const int32_t* out_start = nullptr;  // (nodes) where the values from the columns of a supernode begin
  const int32_t* in_start =
      nullptr;  // (nodes) and those to them: together, since a sweep down reads these alone

  int32_t columns(int32_t s) const { return first[s + 1] - first[s]; }
  int32_t row_count(int32_t s) const { return row_start[s + 1] - row_start[s]; }
  const int32_t* rows_of(int32_t s) const { return rows + row_start[s]; }
  int32_t parent(int32_t s) const { return row_count(s) > 0 ? node_of[*rows_of(s)] : -1; }

  // The row of supernode s that is this place, which is known to be one.
  int32_t row_at(int32_t s, int32_t place) const {
    const int32_t* row = rows_of(s);
    int32_t low = 0, high = row_count(s);
    while (low < high) {
      const int32_t middle = (low + high) / 2;
      if (row[middle] < place)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

// Writes node_of, out_start and in_start, which follow from the other arrays. Returns the entries of the
// factor, or -1 if 32 bits do not count them.
inline int32_t lay_out(const Tree& tree, int32_t* node_of, int32_t* out_start, int32_t* in_start) {
  int64_t entries = 0;
  for (int32_t s = 0; s < tree.nodes; ++s) {
    out_start[s] = static_cast<int32_t>(entries);
    const int64_t k = tree.columns(s), r = tree.row_count(s);
    entries += k * (k + r);
    if (entries > INT32_MAX) return -1;
    for (int32_t place = tree.first[s]; place < tree.first[s + 1]; ++place) node_of[place] = s;
  }
  for (int32_t s = 0; s < tree.nodes; ++s) {
    in_start[s] = static_cast<int32_t>(entries);
    entries += static_cast<int64_t>(tree.row_count(s)) * tree.columns(s);
    if (entries > INT32_MAX) return -1;
  }
  return static_cast<int32_t>(entries);
}

}  // namespace apsp::explore
