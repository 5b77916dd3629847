// Transitive closure on bit rows: bit v % 64 of word v / 64 of row u is set if u reaches v. Every vertex
// reaches itself.
#pragma once
#include <algorithm>
#include <cstdint>

#include "closure/kernels.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::closure {

// A view of a bit matrix; rows are `stride` words apart and bits beyond `columns` are kept at 0.
struct BitMatrix {
  Word* data;
  std::int64_t rows;
  std::int64_t columns;  // bits
  std::int64_t stride;

  std::int64_t words() const { return (columns + 63) / 64; }
  Word* row(std::int64_t i) const { return data + i * stride; }
  void set(std::int64_t i, std::int64_t j) const { row(i)[j / 64] |= Word{1} << (j % 64); }
  bool get(std::int64_t i, std::int64_t j) const { return (row(i)[j / 64] >> (j % 64) & 1) != 0; }
};

struct Digraph {
  std::int64_t n;
  const std::int64_t* indptr;   // (n + 1)
  const std::int32_t* indices;  // (m)
};

enum class Method { kComponents, kFourRussians };

// Writes the closure of a graph into bits (n, n). Advances control by n in all.
void close_graph(BitMatrix bits, const Digraph& graph, Method method, Team& team, Control& control);

// Strongly connected components (Tarjan 1972), then the components from the sinks up: a component reaches its
// members and the vertices that its successors reach (Purdom 1970, section 3). Successors are processed
// nearest first, since those that an earlier one reaches add nothing. Cost: O(m), and n / 64 words for each
// successor that adds vertices.
void close_by_components(BitMatrix bits, const Digraph& graph, Team& team, Control& control);

// Number of threads that are faster for n rows: the rounds of 64 pivots are short (n^2 / 64 words read from
// tables), and waking a thread for less than about a millisecond of work takes longer than it saves.
inline int useful_threads(std::int64_t n, int threads) {
  constexpr std::int64_t kRowsAThread = 4096;
  return static_cast<int>(std::clamp<std::int64_t>(n / kRowsAThread, 1, threads));
}

// Warshall's closure of a square matrix in panels of 64 pivots with tables of unions (kernels_simd.cpp):
// n^3 / 512 words read. Blocked as Floyd-Warshall is: (or,and) instead of (min,+).
void close_bits(BitMatrix bits, Team& team, Control& control);

// c |= a and b over (or,and): c (m, n), a (m, k), b (k, n), each bit packed; c overlaps neither a nor b.
void update_bits(BitMatrix c, BitMatrix a, BitMatrix b, Team& team, Control& control);

// The number of bits that are set.
std::int64_t count_bits(BitMatrix bits, Team& team, Control& control);

}  // namespace apsp::closure
