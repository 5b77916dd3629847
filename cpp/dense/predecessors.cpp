#include "dense/predecessors.hpp"

#include <algorithm>
#include <stdexcept>

#include "dense/kernels.hpp"
#include "dense/row_search.hpp"

namespace apsp::dense {
namespace {

constexpr std::int64_t kLanes = kSearchLanes;

// to[j][i] = from[i][j] for 16 x 16 values, four by four so that the compiler keeps them in registers.
template <class V>
void transpose(const V (&from)[kLanes][kLanes], V* to, std::int64_t stride) {
  typedef V Four __attribute__((vector_size(4 * sizeof(V))));
  for (int i = 0; i < kLanes; i += 4) {
    for (int j = 0; j < kLanes; j += 4) {
      Four row[4];
      for (int k = 0; k < 4; ++k) __builtin_memcpy(&row[k], &from[i + k][j], sizeof(Four));
      const Four low02 = __builtin_shufflevector(row[0], row[2], 0, 4, 1, 5);
      const Four high02 = __builtin_shufflevector(row[0], row[2], 2, 6, 3, 7);
      const Four low13 = __builtin_shufflevector(row[1], row[3], 0, 4, 1, 5);
      const Four high13 = __builtin_shufflevector(row[1], row[3], 2, 6, 3, 7);
      const Four column[4] = {__builtin_shufflevector(low02, low13, 0, 4, 1, 5),
                              __builtin_shufflevector(low02, low13, 2, 6, 3, 7),
                              __builtin_shufflevector(high02, high13, 0, 4, 1, 5),
                              __builtin_shufflevector(high02, high13, 2, 6, 3, 7)};
      for (int k = 0; k < 4; ++k) __builtin_memcpy(to + (j + k) * stride + i, &column[k], sizeof(Four));
    }
  }
}

// Rows first .. first + 15 in vertex-major order. A source is its own answer while the search runs, and the
// arcs that leave it are answers from the start: such an arc is a whole path, so it is right whatever its
// sign.
template <class T>
class Block {
 public:
  explicit Block(std::int64_t n)
      : vertices_((n + kLanes - 1) / kLanes * kLanes),
        dist_(static_cast<std::size_t>(vertices_ * kLanes)),
        pred_(static_cast<std::size_t>(vertices_ * kLanes)) {}

  void load(Matrix<T> from, std::int64_t first, const ArcLists<Lane<T>>& out) {
    const std::int64_t lanes = std::min(kLanes, from.rows - first);
    std::fill(pred_.begin(), pred_.end(), LaneIndex<Lane<T>>{-1});
    Lane<T> tile[kLanes][kLanes];
    for (std::int64_t v = 0; v < from.columns; v += kLanes) {
      const std::int64_t width = std::min(kLanes, from.columns - v);
      if (lanes < kLanes || width < kLanes)
        std::fill_n(&tile[0][0], kLanes * kLanes, Bounds<Lane<T>>::kNoPath);
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const T* row = from.row(first + lane) + v;
        for (std::int64_t j = 0; j < width; ++j) tile[lane][j] = lane_value(row[j]);
      }
      transpose(tile, dist_.data() + v * kLanes, kLanes);
    }
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t source = first + lane;
      const auto number = static_cast<LaneIndex<Lane<T>>>(source);
      pred_[source * kLanes + lane] = number;
      for (std::int64_t arc = out.start[source]; arc < out.start[source + 1]; ++arc)
        pred_[out.other[arc] * kLanes + lane] = number;
    }
  }

  void search(const TightArcs<Lane<T>>& tight, std::int64_t n) {
    search_lanes(LaneSearch<Lane<T>>{n, dist_.data(), pred_.data(), tight.in.start.data(),
                                     tight.in.other.data(), tight.in.weight.data()});
  }

  // Returns whether row `first + lane` lacks an answer somewhere, as bit `lane`.
  std::uint32_t store(Matrix<std::int32_t> to, std::int64_t first) const {
    const std::int64_t lanes = std::min(kLanes, to.rows - first);
    LaneIndex<Lane<T>> lacks[kLanes] = {};
    std::int32_t tile[kLanes][kLanes], rows[kLanes * kLanes];
    for (std::int64_t v = 0; v < to.columns; v += kLanes) {
      for (std::int64_t j = 0; j < kLanes; ++j) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
          const std::int64_t at = (v + j) * kLanes + lane;
          tile[j][lane] = static_cast<std::int32_t>(pred_[at]);
          lacks[lane] |= dist_[at] != Bounds<Lane<T>>::kNoPath ? pred_[at] : 0;  // below 0: no answer
        }
      }
      transpose(tile, rows, kLanes);
      const std::int64_t width = std::min(kLanes, to.columns - v);
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        std::copy_n(rows + lane * kLanes, width, to.row(first + lane) + v);
    }
    std::uint32_t incomplete = 0;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      to.row(first + lane)[first + lane] = -1;
      incomplete |= static_cast<std::uint32_t>(lacks[lane] < 0) << lane;
    }
    return incomplete;
  }

 private:
  std::int64_t vertices_;  // n, in whole tiles
  std::vector<Lane<T>> dist_;
  std::vector<LaneIndex<Lane<T>>> pred_;
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
    block.search(tight, arcs.n);
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
  std::vector<RowSearch<T>> searches(static_cast<std::size_t>(team.size()),
                                     RowSearch<T>(arcs, algebra, closed));
  team.parallel_for(arcs.n, [&](std::int64_t row, int member) {
    control.check();
    searches[static_cast<std::size_t>(member)].grow(row, dist.row(row), pred.row(row),
                                                    exact ? &tight.out : nullptr);
  });
}

}  // namespace

template <class T>
void predecessors(Matrix<T> dist, Matrix<std::int32_t> pred, const Arcs& arcs, Algebra algebra,
                  bool nonnegative, const bool* closed, Team& team, Control& control) {
  if (dist.rows != arcs.n || dist.columns != arcs.n || pred.rows != arcs.n || pred.columns != arcs.n)
    throw std::invalid_argument("distances and predecessors must be n x n");
  if (algebra == Algebra::kMinPlus && nonnegative) {
    by_lanes(dist, pred, arcs, closed, team, control);
  } else {
    by_rows(dist, pred, arcs, algebra, closed, team, control);
  }
}

template void predecessors(Matrix<std::uint16_t>, Matrix<std::int32_t>, const Arcs&, Algebra, bool,
                           const bool*, Team&, Control&);
template void predecessors(Matrix<std::int32_t>, Matrix<std::int32_t>, const Arcs&, Algebra, bool,
                           const bool*, Team&, Control&);
template void predecessors(Matrix<std::int64_t>, Matrix<std::int32_t>, const Arcs&, Algebra, bool,
                           const bool*, Team&, Control&);
template void predecessors(Matrix<float>, Matrix<std::int32_t>, const Arcs&, Algebra, bool, const bool*,
                           Team&, Control&);
template void predecessors(Matrix<double>, Matrix<std::int32_t>, const Arcs&, Algebra, bool, const bool*,
                           Team&, Control&);

}  // namespace apsp::dense
