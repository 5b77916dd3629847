#include "paths/predecessors.hpp"

#include <algorithm>
#include <stdexcept>

#include "paths/kernels.hpp"
#include "paths/row_search.hpp"

namespace apsp::paths {
namespace {

template <class T>
void by_lanes(graph::Matrix<T> dist, graph::Matrix<std::int32_t> pred, const graph::WeightedArcs& arcs,
              const bool* closed, Team& team, Control& control) {
  constexpr std::int64_t kLanes = kSearchLanes;
  const TightArcs<Lane<T>> tight = tight_arcs(dist, arcs, closed, team, control);
  const auto members = static_cast<std::size_t>(team.size());
  const std::size_t room = static_cast<std::size_t>((arcs.n + kLanes - 1) / kLanes * kLanes * kLanes);
  std::vector<std::vector<Lane<T>>> scratch(members, std::vector<Lane<T>>(room));
  std::vector<RowSearch<T>> searches(members, RowSearch<T>(arcs, semiring::Algebra::kMinPlus, closed));
  team.parallel_for((arcs.n + kLanes - 1) / kLanes, [&](std::int64_t index, int member) {
    control.check();
    const std::int64_t first = index * kLanes, lanes = std::min(kLanes, arcs.n - first);
    RowSearch<T>& search = searches[static_cast<std::size_t>(member)];
    const std::uint32_t incomplete = search_last_arcs(
        LastArcSearch<T>{arcs.n, first, lanes, dist.row(first), dist.stride, pred.row(first), pred.stride,
                         tight.in.start.data(), tight.in.other.data(), tight.in.weight.data(),
                         scratch[static_cast<std::size_t>(member)].data()});
    for (std::int64_t row = first; row < first + lanes; ++row) {
      // A tight arc that leaves the source is a whole path: right even if the source is closed.
      for (std::int64_t arc = tight.out.start[row]; arc < tight.out.start[row + 1]; ++arc)
        pred.row(row)[tight.out.other[arc]] = static_cast<std::int32_t>(row);
      if (((incomplete >> (row - first)) & 1u) == 0) continue;
      control.check();
      if (!search.join_equals(row, dist.row(row), pred.row(row), tight))
        search.grow(row, dist.row(row), pred.row(row), nullptr);
    }
  });
}

template <class T>
void by_rows(graph::Matrix<T> dist, graph::Matrix<std::int32_t> pred, const graph::WeightedArcs& arcs,
             semiring::Algebra algebra, const bool* closed, Team& team, Control& control) {
  const bool exact = algebra == semiring::Algebra::kMinPlus && std::is_integral_v<T>;
  TightArcs<Lane<T>> tight;
  if (exact) {
    tight = tight_arcs(dist, arcs, closed, team, control);
  }
  team.parallel_for(arcs.n, [&](std::int64_t row, int) {
    graph::check_heads(arcs, arcs.begin(row), arcs.end(row) - arcs.begin(row));
  });
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
void predecessors(graph::Matrix<T> dist, graph::Matrix<std::int32_t> pred, const graph::WeightedArcs& arcs,
                  semiring::Algebra algebra, bool nonnegative, const bool* closed, Team& team,
                  Control& control) {
  if (dist.rows != arcs.n || dist.columns != arcs.n || pred.rows != arcs.n || pred.columns != arcs.n)
    throw std::invalid_argument("distances and predecessors must be n x n");
  if (algebra == semiring::Algebra::kMinPlus && nonnegative) {
    by_lanes(dist, pred, arcs, closed, team, control);
  } else {
    by_rows(dist, pred, arcs, algebra, closed, team, control);
  }
}

template void predecessors(graph::Matrix<std::uint16_t>, graph::Matrix<std::int32_t>,
                           const graph::WeightedArcs&, semiring::Algebra, bool, const bool*, Team&, Control&);
template void predecessors(graph::Matrix<std::int32_t>, graph::Matrix<std::int32_t>,
                           const graph::WeightedArcs&, semiring::Algebra, bool, const bool*, Team&, Control&);
template void predecessors(graph::Matrix<std::int64_t>, graph::Matrix<std::int32_t>,
                           const graph::WeightedArcs&, semiring::Algebra, bool, const bool*, Team&, Control&);
template void predecessors(graph::Matrix<float>, graph::Matrix<std::int32_t>, const graph::WeightedArcs&,
                           semiring::Algebra, bool, const bool*, Team&, Control&);
template void predecessors(graph::Matrix<double>, graph::Matrix<std::int32_t>, const graph::WeightedArcs&,
                           semiring::Algebra, bool, const bool*, Team&, Control&);

}  // namespace apsp::paths
