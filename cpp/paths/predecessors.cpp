#include "paths/predecessors.hpp"

#include <algorithm>
#include <stdexcept>

#include "paths/last_arcs.hpp"

namespace apsp::paths {
namespace {

template <class T>
void by_lanes(graph::Matrix<T> dist, graph::Matrix<std::int32_t> pred, const graph::WeightedArcs& arcs,
              const bool* closed, Team& team, Control& control) {
  TightArcs<Lane<T>> tight = tight_arcs(dist, arcs, closed, team, control);
  find_zero_components(tight, closed, control);
  std::vector<LastArcs<T>> searches(static_cast<std::size_t>(team.size()), LastArcs<T>(arcs, closed, tight));
  team.parallel_for((arcs.n + kSearchLanes - 1) / kSearchLanes, [&](std::int64_t index, int member) {
    const std::int64_t first = index * kSearchLanes,
                       lanes = std::min<std::int64_t>(kSearchLanes, arcs.n - first);
    std::int32_t sources[kSearchLanes];
    const T* distances[kSearchLanes];
    std::int32_t* predecessors[kSearchLanes];
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      sources[lane] = static_cast<std::int32_t>(first + lane);
      distances[lane] = dist.row(first + lane);
      predecessors[lane] = pred.row(first + lane);
    }
    searches[static_cast<std::size_t>(member)].find(sources, lanes, distances, predecessors, control);
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
