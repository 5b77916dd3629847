// Rows that need no search. The distances from v are the minimum, over its arcs (v, u), of the weight plus
// the distances from u: a row follows from those of the heads, if they are known. Only the vertices of a set
// that every cycle meets are searched from; the other rows follow in a topological order of the rest. (How
// many that are: a tenth for two arcs per vertex, 30% for four, half for eight; half of a grid.)
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "rows/kernels.hpp"
#include "rows/lane_graph.hpp"
#include "rows/lane_shape.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::rows {

// Vertices whose rows follow, each after all its heads that do. row_of (n,): the row of each vertex, or -1.
std::vector<std::int32_t> rows_without_search(const LaneShape& graph,
                                              const std::vector<std::int64_t>& row_of);

template <class T>
class FollowingRows {
 public:
  // None if the request has few of the rows, only some columns, a cutoff or predecessors.
  template <class L>
  FollowingRows(const RowRequest<T>& request, const LaneGraphView<L>& graph, const VertexOrder& order)
      : request_(request), follows_(request.count, 0), searched_(graph.n, 1) {
    const bool whole = request.targets == nullptr && request.pred == nullptr;
    if (!whole || request.cutoff < semiring::kNoPath<T> || request.count < graph.n / kLeastShare) return;
    std::vector<std::int64_t> row_of(graph.n, -1);
    for (std::int64_t i = request.count; i-- > 0;) row_of[order.inner[request.sources[i]]] = i;
    const std::vector<std::int32_t> uncut = rows_without_search(graph, row_of);
    std::int64_t arcs = 0;
    for (const std::int32_t v : uncut) arcs += graph.out_start[v + 1] - graph.out_start[v];
    arcs_.reserve(arcs);
    rows_.reserve(uncut.size());
    start_.reserve(uncut.size() + 1);
    for (const std::int32_t v : uncut) {
      for (std::int64_t a = graph.out_start[v]; a < graph.out_start[v + 1]; ++a)
        arcs_.push_back({row_of[graph.out[a].vertex], static_cast<T>(weight_of(graph.out[a]))});
      start_.push_back(static_cast<std::int64_t>(arcs_.size()));
      rows_.push_back({row_of[v], order.original[v]});
      follows_[row_of[v]] = 1;
      searched_[v] = 0;
    }
  }

  std::int64_t count() const noexcept { return static_cast<std::int64_t>(rows_.size()); }
  bool follows(std::int64_t row) const noexcept { return follows_[row] != 0; }

  // (n,) marks of the inner numbers of all vertices whose rows do not follow.
  const std::vector<std::uint8_t>& searched_vertices() const noexcept { return searched_; }

  // When all other rows are written.
  void write(Team& team, Control& control) const {
    if (rows_.empty()) return;
    const RowJoins<T> joins{request_.dist, request_.dist_stride, rows_.data(),
                            start_.data(), arcs_.data(),         count()};
    const std::int64_t blocks = (request_.columns + kBlock - 1) / kBlock;
    team.parallel_for(blocks, [&](std::int64_t block, int) {
      control.check();
      const std::int64_t first = block * kBlock;
      join_rows(joins, first, std::min(first + kBlock, request_.columns));
      control.advance(count() * (block + 1) / blocks - count() * block / blocks);
    });
  }

 private:
  static constexpr std::int64_t kLeastShare = 2;  // 1 / kLeastShare of all rows
  static constexpr std::int64_t kBlock = 1024 / static_cast<std::int64_t>(sizeof(T));  // columns

  const RowRequest<T>& request_;
  std::vector<std::uint8_t> follows_;   // (count,)
  std::vector<std::uint8_t> searched_;  // (n,)
  std::vector<JoinedRow> rows_;
  std::vector<std::int64_t> start_{0};
  std::vector<RowArc<T>> arcs_;
};

}  // namespace apsp::rows
