#include "dense/predecessors.hpp"

#include <algorithm>
#include <stdexcept>

#include "dense/kernels.hpp"
#include "dense/row_search.hpp"

namespace apsp::dense {
namespace {

// Rows first .. first + 15 in vertex-major order, with the arcs that leave the sources themselves as first answers:
// such an arc is a whole path, so it is right whatever its sign.
template <class T>
struct Block {
  std::vector<Lane<T>> dist;
  std::vector<std::int32_t> pred;

  explicit Block(std::int64_t n)
      : dist(static_cast<std::size_t>(n * kSearchLanes)), pred(static_cast<std::size_t>(n * kSearchLanes)) {}

  void load(Matrix<T> from, std::int64_t first, const ArcLists<Lane<T>>& out) {
    const std::int64_t lanes = std::min<std::int64_t>(kSearchLanes, from.rows - first);
    std::fill(pred.begin(), pred.end(), std::int32_t{-1});
    if (lanes < kSearchLanes) std::fill(dist.begin(), dist.end(), Bounds<Lane<T>>::kNoPath);
    for (std::int64_t v = 0; v < from.columns; v += kSearchLanes) {
      const std::int64_t end = std::min<std::int64_t>(v + kSearchLanes, from.columns);
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const T* row = from.row(first + lane);
        for (std::int64_t j = v; j < end; ++j) dist[j * kSearchLanes + lane] = lane_value(row[j]);
      }
    }
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t source = first + lane;
      for (std::int64_t arc = out.start[source]; arc < out.start[source + 1]; ++arc)
        pred[out.other[arc] * kSearchLanes + lane] = static_cast<std::int32_t>(source);
    }
  }

  // Returns whether row `first + lane` lacks an answer somewhere, as bit `lane`.
  std::uint32_t store(Matrix<std::int32_t> to, std::int64_t first) const {
    const std::int64_t lanes = std::min<std::int64_t>(kSearchLanes, to.rows - first);
    std::uint32_t incomplete = 0;
    for (std::int64_t v = 0; v < to.columns; v += kSearchLanes) {
      const std::int64_t end = std::min<std::int64_t>(v + kSearchLanes, to.columns);
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        std::int32_t* row = to.row(first + lane);
        bool lacks = false;
        for (std::int64_t j = v; j < end; ++j) {
          row[j] = pred[j * kSearchLanes + lane];
          lacks |= (row[j] < 0) & (dist[j * kSearchLanes + lane] != Bounds<Lane<T>>::kNoPath) & (j != first + lane);
        }
        incomplete |= static_cast<std::uint32_t>(lacks) << lane;
      }
    }
    return incomplete;
  }
};

template <class T>
void by_lanes(Matrix<T> dist, Matrix<std::int32_t> pred, const Arcs& arcs, const bool* closed, Team& team,
              Control& control) {
  const TightArcs<Lane<T>> tight = tight_arcs(dist, arcs, closed, team, control);
  const auto members = static_cast<std::size_t>(team.size());
  std::vector<Block<T>> blocks(members, Block<T>(arcs.n));
  std::vector<RowSearch<T>> searches(members, RowSearch<T>(arcs, Algebra::kMinPlus, closed));
  team.parallel_for((arcs.n + kSearchLanes - 1) / kSearchLanes, [&](std::int64_t index, int member) {
    control.check();
    const std::int64_t first = index * kSearchLanes;
    Block<T>& block = blocks[static_cast<std::size_t>(member)];
    RowSearch<T>& search = searches[static_cast<std::size_t>(member)];
    block.load(dist, first, tight.out);
    search_lanes(LaneSearch<Lane<T>>{arcs.n, first, block.dist.data(), block.pred.data(), tight.in.start.data(),
                                     tight.in.other.data(), tight.in.weight.data()});
    const std::uint32_t incomplete = block.store(pred, first);
    for (std::int64_t row = first; row < std::min(first + kSearchLanes, arcs.n); ++row) {
      if (((incomplete >> (row - first)) & 1u) == 0) continue;
      control.check();
      if (!search.join_equals(row, dist.row(row), pred.row(row), tight))
        search.grow(row, dist.row(row), pred.row(row), nullptr);
    }
  });
}

template <class T>
void by_rows(Matrix<T> dist, Matrix<std::int32_t> pred, const Arcs& arcs, Algebra algebra, const bool* closed,
             Team& team, Control& control) {
  const bool exact = algebra == Algebra::kMinPlus && std::is_integral_v<T>;
  TightArcs<Lane<T>> tight;
  if (exact) tight = tight_arcs(dist, arcs, closed, team, control);
  std::vector<RowSearch<T>> searches(static_cast<std::size_t>(team.size()), RowSearch<T>(arcs, algebra, closed));
  team.parallel_for(arcs.n, [&](std::int64_t row, int member) {
    control.check();
    searches[static_cast<std::size_t>(member)].grow(row, dist.row(row), pred.row(row), exact ? &tight.out : nullptr);
  });
}

}  // namespace

template <class T>
void predecessors(Matrix<T> dist, Matrix<std::int32_t> pred, const Arcs& arcs, Algebra algebra, bool nonnegative,
                  const bool* closed, Team& team, Control& control) {
  if (dist.rows != arcs.n || dist.columns != arcs.n || pred.rows != arcs.n || pred.columns != arcs.n)
    throw std::invalid_argument("distances and predecessors must be n x n");
  if (algebra == Algebra::kMinPlus && nonnegative) {
    by_lanes(dist, pred, arcs, closed, team, control);
  } else {
    by_rows(dist, pred, arcs, algebra, closed, team, control);
  }
}

template void predecessors(Matrix<std::uint16_t>, Matrix<std::int32_t>, const Arcs&, Algebra, bool, const bool*,
                           Team&, Control&);
template void predecessors(Matrix<std::int32_t>, Matrix<std::int32_t>, const Arcs&, Algebra, bool, const bool*,
                           Team&, Control&);
template void predecessors(Matrix<std::int64_t>, Matrix<std::int32_t>, const Arcs&, Algebra, bool, const bool*,
                           Team&, Control&);
template void predecessors(Matrix<float>, Matrix<std::int32_t>, const Arcs&, Algebra, bool, const bool*, Team&,
                           Control&);
template void predecessors(Matrix<double>, Matrix<std::int32_t>, const Arcs&, Algebra, bool, const bool*, Team&,
                           Control&);

}  // namespace apsp::dense
