#include "rows/lane_graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "graph/nearness.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::rows {

VertexOrder::VertexOrder(const graph::Csr& graph) : VertexOrder(graph::nearness_order(graph)) {}

VertexOrder::VertexOrder(std::vector<std::int32_t> of) : original(std::move(of)), inner(original.size()) {
  for (std::size_t i = 0; i < original.size(); ++i) inner[original[i]] = static_cast<std::int32_t>(i);
}

template <class W>
WeightScale<W>::WeightScale(const W* weights, std::int64_t m) {
  std::int64_t count = 0;
  for (std::int64_t a = 0; a < m; ++a) {
    if (!(weights[a] >= W{0}))
      throw std::invalid_argument("arc " + std::to_string(a) + " is shorter than zero or not a number");
    if (!(weights[a] < semiring::kNoPath<W>)) continue;
    if (weights[a] > largest) largest = weights[a];
    mean += static_cast<double>(weights[a]);
    ++count;
  }
  if (count > 0) mean /= static_cast<double>(count);
}

template <class L>
template <class W>
LaneGraph<L>::LaneGraph(const graph::Csr& graph, const W* weights, const VertexOrder& order)
    : out_start_(graph.n + 1), in_start_(graph.n + 1) {
  out_.reserve(graph.m);
  for (std::int64_t v = 0; v < graph.n; ++v) {
    const std::int64_t tail = order.original[v];
    for (std::int64_t a = graph.indptr[tail]; a < graph.indptr[tail + 1]; ++a) {
      if (graph.indices[a] == tail || !(weights[a] < semiring::kNoPath<W>) || graph.is_zone(tail)) continue;
      const std::int32_t head = order.inner[graph.indices[a]];
      out_.push_back({head, packed(static_cast<L>(weights[a]))});
      ++in_start_[head + 1];
    }
    out_start_[v + 1] = static_cast<std::int64_t>(out_.size());
  }
  reverse(graph.n);
}

template <class L>
void LaneGraph<L>::find_zero_components(const Control& control) {
  if (zero_) return;
  const auto for_zero = [](const auto& start, const auto& arcs) {
    return [&](std::int64_t v, const auto& body) {
      for (std::int64_t a = start[v]; a < start[v + 1]; ++a)
        if (weight_of(arcs[a]) == L{0} && !body(arcs[a].vertex)) return;
    };
  };
  const auto n = static_cast<std::int64_t>(out_start_.size()) - 1;
  zero_.emplace(n, for_zero(out_start_, out_), for_zero(in_start_, in_), control);
  if (!zero_->any()) return;
  rising_.resize(n);
  for (std::int64_t v = 0; v < n; ++v)
    rising_[v] = std::stable_partition(in_.begin() + in_start_[v], in_.begin() + in_start_[v + 1],
                                       [&](const LaneArc<L>& arc) {
                                         return weight_of(arc) == L{0} && zero_->are_joined(arc.vertex, v);
                                       }) -
                 in_.begin();
}

template <class L>
void LaneGraph<L>::reverse(std::int64_t n) {
  for (std::int64_t v = 0; v < n; ++v) in_start_[v + 1] += in_start_[v];
  in_.resize(out_.size() + kArcsAhead);
  std::vector<std::int64_t> next(in_start_.begin(), in_start_.end() - 1);
  for (std::int64_t u = 0; u < n; ++u)
    for (std::int64_t a = out_start_[u]; a < out_start_[u + 1]; ++a)
      in_[next[out_[a].vertex]++] = {static_cast<std::int32_t>(u), out_[a].weight};
}

#define APSP_INSTANTIATE(T) template struct WeightScale<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

// With labels that are as wide as the weights, or narrower.
#define APSP_INSTANTIATE(L, W) \
  template LaneGraph<L>::LaneGraph(const graph::Csr&, const W*, const VertexOrder&);
APSP_INSTANTIATE(std::uint8_t, std::uint16_t)
APSP_INSTANTIATE(std::uint8_t, std::int32_t)
APSP_INSTANTIATE(std::uint8_t, std::int64_t)
APSP_INSTANTIATE(std::uint16_t, std::uint16_t)
APSP_INSTANTIATE(std::uint16_t, std::int32_t)
APSP_INSTANTIATE(std::uint16_t, std::int64_t)
APSP_INSTANTIATE(std::uint32_t, std::int32_t)
APSP_INSTANTIATE(std::uint32_t, std::int64_t)
APSP_INSTANTIATE(std::uint64_t, std::int64_t)
APSP_INSTANTIATE(float, float)
APSP_INSTANTIATE(double, double)
#undef APSP_INSTANTIATE

#define APSP_INSTANTIATE(L) template void LaneGraph<L>::find_zero_components(const Control&);
APSP_INSTANTIATE(std::uint8_t)
APSP_INSTANTIATE(std::uint16_t)
APSP_INSTANTIATE(std::uint32_t)
APSP_INSTANTIATE(std::uint64_t)
APSP_INSTANTIATE(float)
APSP_INSTANTIATE(double)
#undef APSP_INSTANTIATE

}  // namespace apsp::rows
