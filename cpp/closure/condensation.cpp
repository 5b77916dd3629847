#include "closure/condensation.hpp"

#include <algorithm>
#include <stdexcept>

#include "graph/groups.hpp"

namespace apsp::closure {
namespace {

constexpr std::int64_t kRowsBetweenChecks = 256;
constexpr std::int64_t kFewHeads = 16;  // of c / 16 heads or more, looking at all c takes less than sorting
constexpr std::int64_t kLineWords = 8;  // of a cache line, which two threads should not both write

}  // namespace

Arcs condensation(const Digraph& graph, const std::int32_t* labels, std::int64_t count,
                  const Control& control) {
  const graph::Groups groups(labels, graph.n, count);
  std::vector<std::int32_t> last_tail(static_cast<std::size_t>(count), -1);  // with an arc to this component
  Arcs arcs;
  arcs.indptr.reserve(static_cast<std::size_t>(count) + 1);
  arcs.indptr.push_back(0);
  for (std::int64_t c = 0; c < count; ++c) {
    if (c % kRowsBetweenChecks == 0) control.check();
    for (std::int64_t at = groups.first[c]; at < groups.first[c + 1]; ++at) {
      const std::int32_t vertex = groups.members[at];
      for (std::int64_t arc = graph.indptr[vertex]; arc < graph.indptr[vertex + 1]; ++arc) {
        const std::int32_t head = labels[graph.indices[arc]];
        if (head == c || last_tail[head] == c) continue;
        last_tail[head] = static_cast<std::int32_t>(c);
        arcs.indices.push_back(head);
      }
    }
    const auto begin = arcs.indices.begin() + arcs.indptr.back(), end = arcs.indices.end();
    if ((end - begin) * kFewHeads < c) {
      std::sort(begin, end);
    } else {
      auto next = begin;
      for (std::int32_t head = 0; next != end; ++head) {  // without a branch that is hard to predict
        *next = head;
        next += last_tail[head] == c;
      }
    }
    arcs.indptr.push_back(static_cast<std::int64_t>(arcs.indices.size()));
  }
  return arcs;
}

std::vector<std::uint8_t> reached_from(const Digraph& graph, std::int64_t vertex, const Control& control) {
  std::vector<std::uint8_t> reached(graph.n, 0);
  std::vector<std::int32_t> open{static_cast<std::int32_t>(vertex)};
  reached[vertex] = 1;
  for (std::int64_t steps = 0; !open.empty(); ++steps) {
    if (steps % (1 << 16) == 0) control.check();
    const std::int32_t v = open.back();
    open.pop_back();
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1]; ++arc) {
      const std::int32_t head = graph.indices[arc];
      if (reached[head]) continue;
      reached[head] = 1;
      open.push_back(head);
    }
  }
  return reached;
}

std::int64_t count_in_forest(const Digraph& arcs, const std::int64_t* sizes) {
  bool one_out = true, one_into = true;
  std::vector<bool> has_into(arcs.n, false);
  for (std::int64_t v = 0; v < arcs.n; ++v) {
    one_out &= arcs.indptr[v + 1] - arcs.indptr[v] <= 1;
    for (std::int64_t arc = arcs.indptr[v]; arc < arcs.indptr[v + 1]; ++arc) {
      one_into &= !has_into[arcs.indices[arc]];
      has_into[arcs.indices[arc]] = true;
    }
  }
  if (!one_out && !one_into) return -1;
  std::int64_t count = 0;
  std::vector<std::int64_t> reached(sizes, sizes + arcs.n);
  for (std::int64_t v = 0; v < arcs.n; ++v) {  // heads are lower
    for (std::int64_t arc = arcs.indptr[v]; arc < arcs.indptr[v + 1]; ++arc)
      reached[v] += reached[arcs.indices[arc]];
    count += sizes[v] * reached[v];
  }
  return count;
}

void join_heads(BitMatrix bits, const Digraph& graph, std::int64_t first, std::int64_t last, Team& team,
                const Control& control) {
  if (graph.n != bits.rows) throw std::invalid_argument("there must be one row per vertex");
  if (first < 0 || first > last || last > graph.n) throw std::invalid_argument("no such rows");
  for (std::int64_t arc = graph.indptr[first]; arc < graph.indptr[last]; ++arc)
    if (graph.indices[arc] < 0 || graph.indices[arc] >= graph.n)
      throw std::invalid_argument("an arc leads to a vertex that does not exist");
  const UnionKernels& kernels = union_kernels();
  const std::int64_t lines = (bits.words() + kLineWords - 1) / kLineWords;
  const std::int64_t width = (lines + team.size() - 1) / team.size() * kLineWords;
  team.parallel_for(width > 0 ? (bits.words() + width - 1) / width : 0, [&](std::int64_t part, int) {
    const std::int64_t from = part * width, words = std::min(width, bits.words() - from);
    for (std::int64_t i = first; i < last; ++i) {
      if (i % kRowsBetweenChecks == 0) control.check();
      for (std::int64_t arc = graph.indptr[i]; arc < graph.indptr[i + 1]; ++arc)
        kernels.join(bits.row(i) + from, bits.row(graph.indices[arc]) + from, words);
    }
  });
}

}  // namespace apsp::closure
