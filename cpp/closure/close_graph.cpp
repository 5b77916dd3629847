#include <algorithm>
#include <bit>
#include <stdexcept>
#include <vector>

#include "closure/closure.hpp"
#include "graph/groups.hpp"
#include "graph/strong.hpp"

namespace apsp::closure {
namespace {

constexpr std::int64_t kRowsAtOnce = 64;
constexpr std::int64_t kComponentsBetweenChecks = 256;

template <class Body>
void for_rows(std::int64_t rows, Team& team, const Control& control, const Body& body) {
  team.parallel_for((rows + kRowsAtOnce - 1) / kRowsAtOnce, [&](std::int64_t block, int) {
    control.check();
    for (std::int64_t i = block * kRowsAtOnce; i < std::min(rows, (block + 1) * kRowsAtOnce); ++i) body(i);
  });
}

void check_head(std::int32_t head, std::int64_t n) {
  if (head < 0 || head >= n) throw std::invalid_argument("an arc leads to a vertex that does not exist");
}

// Heads are in ascending order, so the bits of a word are collected before it is written.
void fill(BitMatrix bits, const Digraph& graph, Team& team, const Control& control) {
  for_rows(graph.n, team, control, [&](std::int64_t tail) {
    Word* row = bits.row(tail);
    std::fill_n(row, bits.words(), Word{0});
    std::int64_t place = tail / 64;
    Word gathered = Word{1} << (tail % 64);
    for (std::int64_t arc = graph.indptr[tail]; arc < graph.indptr[tail + 1]; ++arc) {
      const std::int32_t head = graph.indices[arc];
      check_head(head, graph.n);
      if (head / 64 != place) {
        row[place] |= gathered;
        place = head / 64;
        gathered = 0;
      }
      gathered |= Word{1} << (head % 64);
    }
    row[place] |= gathered;
  });
}

// The row of each component, at its first member, from the sinks (component 0) up.
void close_components(BitMatrix bits, const Digraph& graph, const graph::Groups& groups,
                      const std::vector<std::int32_t>& labels, Control& control) {
  const UnionKernels& kernels = union_kernels();
  std::vector<Word> successors(static_cast<std::size_t>(groups.count() / 64 + 1), 0);
  for (std::int64_t c = 0; c < groups.count(); ++c) {
    if (c % kComponentsBetweenChecks == 0) control.check();
    const std::int64_t first = groups.members[groups.first[c]];
    std::int64_t highest = -1;
    for (std::int64_t at = groups.first[c]; at < groups.first[c + 1]; ++at) {
      const std::int32_t vertex = groups.members[at];
      bits.set(first, vertex);
      for (std::int64_t arc = graph.indptr[vertex]; arc < graph.indptr[vertex + 1]; ++arc) {
        const std::int32_t successor = labels[graph.indices[arc]];
        if (successor == c) continue;
        successors[successor / 64] |= Word{1} << (successor % 64);
        highest = std::max<std::int64_t>(highest, successor / 64);
      }
    }
    for (std::int64_t word = highest; word >= 0; --word) {
      for (Word left = successors[word]; left != 0;) {
        const std::int64_t bit = 63 - std::countl_zero(left);
        left &= ~(Word{1} << bit);
        const std::int64_t other = groups.members[groups.first[word * 64 + bit]];
        if (!bits.get(first, other)) kernels.join(bits.row(first), bits.row(other), bits.words());
      }
      successors[word] = 0;
    }
    control.advance(groups.first[c + 1] - groups.first[c]);
  }
}

}  // namespace

void close_by_components(BitMatrix bits, const Digraph& graph, Team& team, Control& control) {
  for_rows(graph.n, team, control, [&](std::int64_t i) { std::fill_n(bits.row(i), bits.words(), Word{0}); });
  for (std::int64_t arc = 0; arc < graph.indptr[graph.n]; ++arc) check_head(graph.indices[arc], graph.n);
  std::vector<std::int32_t> labels(static_cast<std::size_t>(graph.n));
  const std::int64_t count = graph::strong(graph.n, graph.indptr, graph.indices, labels.data(), control);
  const graph::Groups groups(labels.data(), graph.n, count);
  close_components(bits, graph, groups, labels, control);
  for_rows(graph.n, team, control, [&](std::int64_t v) {
    const std::int64_t first = groups.members[groups.first[labels[v]]];
    if (v != first) std::copy_n(bits.row(first), bits.words(), bits.row(v));
  });
}

void close_graph(BitMatrix bits, const Digraph& graph, Method method, Team& team, Control& control) {
  if (bits.rows != graph.n || bits.columns != graph.n) throw std::invalid_argument("the bits must be n x n");
  if (method == Method::kComponents) return close_by_components(bits, graph, team, control);
  fill(bits, graph, team, control);
  Team rounds(useful_threads(graph.n, team.size()));
  close_bits(bits, rounds, control);
}

}  // namespace apsp::closure
