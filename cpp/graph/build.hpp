// Arcs in any order -> rows sorted by head (CSR), parallel arcs merged. O(n + m): a counting sort by tail,
// then each row is sorted by head (insertion for short rows, a radix sort for long ones).
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/control.hpp"

namespace apsp::graph {

// Which of several arcs between the same two vertices counts, in the given order.
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

// The same for arcs that are sorted by rows already (those of row v from indptr[v] to indptr[v + 1]), in any
// order inside a row; the smallest of parallel arcs counts. Negative zero becomes zero. Returns nothing if
// these are not the rows of a graph, or some weight is not a finite number.
template <class Index, class Weight>
std::optional<CsrArrays<Weight>> csr_from_rows(std::int64_t n, const Index* indptr, const Index* indices,
                                               const Weight* weights, std::int64_t count, bool undirected,
                                               const Control& control);

}  // namespace apsp::graph
