// Rows that need no search. The distances from v are the minimum, over its arcs (v, u), of the weight plus
// the distances from u: a row follows from those of the heads, if they are known. Only the vertices of a set
// that every cycle meets are searched from; the other rows follow in a topological order of the rest. (How
// many that are: a tenth for two arcs per vertex, 30% for four, half for eight; half of a grid.)
#pragma once
#include <cstdint>
#include <vector>

#include "rows/kernels.hpp"
#include "rows/lane_graph.hpp"
#include "rows/lane_shape.hpp"
#include "rows/request.hpp"
#include "runtime/control.hpp"
#include "runtime/function_ref.hpp"
#include "runtime/team.hpp"

namespace apsp::rows {

template <class T>
class FollowingRows {
 public:
  // None if the request has few of the rows, only some columns, a cutoff or predecessors. weight(a): of arc a
  // out of its tail.
  FollowingRows(const RowRequest<T>& request, const LaneShape& graph, FunctionRef<T(std::int64_t)> weight,
                const VertexOrder& order);

  std::int64_t count() const noexcept { return static_cast<std::int64_t>(rows_.size()); }
  bool follows(std::int64_t row) const noexcept { return follows_[row] != 0; }

  // (n,) marks of the inner numbers of all vertices whose rows do not follow.
  const std::vector<std::uint8_t>& searched_vertices() const noexcept { return searched_; }

  // When all other rows are written.
  void write(Team& team, Control& control) const;

 private:
  const RowRequest<T>& request_;
  std::vector<std::uint8_t> follows_;   // (count,)
  std::vector<std::uint8_t> searched_;  // (n,)
  std::vector<JoinedRow> rows_;
  std::vector<std::int64_t> start_{0};
  std::vector<RowArc<T>> arcs_;
};

}  // namespace apsp::rows
