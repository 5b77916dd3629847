// Code shared by Johnson's rows of integers and of floats: the loop over rows, and writing one of them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "rows/arcs.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"
#include "searches/search.hpp"

namespace apsp::searches {

// A finished row of original lengths (kNoPath where not reached), and its
// predecessors.
template <class T>
void write_row(const rows::RowRequest<T>& request, std::int64_t n, std::int64_t row,
               const std::vector<T>& lengths, const std::int32_t* parents,
               std::vector<std::uint8_t>& needed) {
  const auto within = [&](std::int64_t v) {
    return lengths[v] != semiring::kNoPath<T> && !(request.cutoff < lengths[v]);
  };
  T* out = request.dist + row * request.dist_stride;
  for (std::int64_t i = 0; i < request.columns; ++i) {
    const std::int64_t v = request.targets == nullptr ? i : request.targets[i];
    out[i] = within(v) ? lengths[v] : semiring::kNoPath<T>;
  }
  if (request.pred == nullptr) return;
  // Lengths may decrease along a path, so a path within the cutoff may pass through vertices beyond it: those
  // keep their predecessors too.
  const std::int32_t source = request.sources[row];
  needed.assign(n, 0);
  for (std::int64_t v = 0; v < n; ++v)
    if (within(v))
      for (std::int64_t u = v; !needed[u]; u = parents[u]) {
        needed[u] = 1;
        if (u == source) break;
      }
  std::int32_t* before = request.pred + row * request.pred_stride;
  for (std::int64_t v = 0; v < n; ++v) before[v] = needed[v] && v != source ? parents[v] : -1;
}

// The loop over rows: a member owns one Search, a row of lengths and the rows that it takes.
// restore(search, source, order, lengths) fills the original lengths of the vertices in `order`, as they were
// settled.
template <class Queue, class T, class Reduced, class Limit, class Restore>
void search_with(const rows::Arcs<Reduced>& arcs, const rows::RowRequest<T>& request, int threads,
                 Control& control, const Limit& limit, const Restore& restore) {
  struct Member {
    explicit Member(const rows::Arcs<Reduced>& arcs) : search(arcs), lengths(arcs.n()) {}
    Search<Reduced, Queue, true> search;
    std::vector<T> lengths;
    std::vector<std::int32_t> order;
    std::vector<std::uint8_t> needed;
  };
  const rows::Wanted wanted(request, arcs);
  Team team(threads);
  std::vector<std::unique_ptr<Member>> members(team.size());
  team.parallel_for(request.count, [&](std::int64_t row, int member) {
    control.check();
    if (!members[member]) members[member] = std::make_unique<Member>(arcs);
    Member& own = *members[member];
    const std::int32_t source = request.sources[row];
    own.order.clear();
    std::fill(own.lengths.begin(), own.lengths.end(), semiring::kNoPath<T>);
    own.search.run(source, limit(source), wanted.marks, request.pred != nullptr ? 0 : wanted.count, control,
                   [&](std::int32_t v) { own.order.push_back(v); });
    restore(own.search, source, own.order, own.lengths);
    write_row(request, arcs.n(), row, own.lengths, own.search.parents(), own.needed);
    control.advance(1);
  });
}

}  // namespace apsp::searches
