// Arcs in any order -> rows sorted by head (CSR), parallel arcs merged. O(n + m): a counting sort by tail,
// then each row is sorted by head (insertion for short rows, a radix sort for long ones).
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/control.hpp"

namespace apsp::graph {

// Which of several arcs between the same two vertices counts, in the order given.
enum class Parallel { min, first, last };

struct NoWeight {};  // arcs without weights: parallel ones are all the same

template <class Weight>
struct CsrArrays {
  std::vector<std::int64_t> indptr;   // n + 1
  std::vector<std::int32_t> indices;  // m, ascending and distinct inside a row
  std::vector<Weight> weights;        // m; empty for NoWeight
};

// tails, heads and weights hold `count` arcs; weights is ignored for NoWeight. `undirected` adds every arc's
// reverse (a self-loop has none). Throws std::invalid_argument if an end is not in [0, n) or n exceeds 2^31
// - 2.
template <class Index, class Weight>
CsrArrays<Weight> csr_from_arcs(std::int64_t n, const Index* tails, const Index* heads, const Weight* weights,
                                std::int64_t count, bool undirected, Parallel parallel,
                                const Control& control);

}  // namespace apsp::graph
