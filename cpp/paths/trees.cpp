#include "paths/trees.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "paths/row_search.hpp"
#include "paths/tight.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"

namespace apsp::paths {
namespace {

// All weights in the type of the comparisons.
template <class T>
std::vector<Weight<T>> wide_weights(const graph::WeightedArcs& arcs, std::int64_t m) {
  std::vector<Weight<T>> weights(static_cast<std::size_t>(m), Weight<T>{1});
  const auto copy = [&](const auto* from) {
    for (std::int64_t arc = 0; arc < m; ++arc) weights[arc] = static_cast<Weight<T>>(from[arc]);
  };
  switch (arcs.type) {
    case graph::WeightType::kInt32:
      copy(static_cast<const std::int32_t*>(arcs.weights));
      break;
    case graph::WeightType::kInt64:
      copy(static_cast<const std::int64_t*>(arcs.weights));
      break;
    case graph::WeightType::kFloat32:
      copy(static_cast<const float*>(arcs.weights));
      break;
    case graph::WeightType::kFloat64:
      copy(static_cast<const double*>(arcs.weights));
      break;
    case graph::WeightType::kNone:
      break;
  }
  return weights;
}

}  // namespace

template <class T>
void trees(const graph::Csr& graph, const graph::WeightedArcs& arcs, const std::int32_t* sources,
           graph::Matrix<T> dist, graph::Matrix<std::int32_t> pred, int threads, Control& control) {
  graph::check_csr(graph);
  graph::check_vertices(sources, dist.rows, graph.n, "sources");
  const std::vector<Weight<T>> weights = wide_weights<T>(arcs, graph.m);
  const bool* closed = reinterpret_cast<const bool*>(graph.zones);
  struct Scratch {
    std::vector<std::int32_t> queue;
    RowSearch<T> search;
  };
  Team team(threads);
  std::vector<Scratch> scratch(static_cast<std::size_t>(team.size()),
                               {{}, RowSearch<T>(arcs, semiring::Algebra::kMinPlus, closed)});
  team.parallel_for(dist.rows, [&](std::int64_t row, int member) {
    control.check();
    auto& [queue, search] = scratch[static_cast<std::size_t>(member)];
    const std::int64_t reached =
        tight_tree(graph, weights.data(), sources[row], dist.row(row), pred.row(row), queue);
    if constexpr (std::is_floating_point_v<T>) {
      const T* distances = dist.row(row);
      if (reached < std::count_if(distances, distances + graph.n, [](T d) { return d < kNoPath<T>; }))
        search.grow(sources[row], distances, pred.row(row), nullptr);
    }
  });
}

#define APSP_INSTANTIATE(T)                                                                                 \
  template void trees(const graph::Csr&, const graph::WeightedArcs&, const std::int32_t*, graph::Matrix<T>, \
                      graph::Matrix<std::int32_t>, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::paths
