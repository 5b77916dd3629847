// The arcs in the form that label correcting reads: by tail and by head, in the internal vertex order,
// without the arcs that no shortest path uses (self-loops, arcs as long as "no path") and those that leave
// zones, which only the search from the zone itself may use.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "graph/csr.hpp"
#include "graph/zero_components.hpp"
#include "rows/lane_arcs.hpp"
#include "runtime/control.hpp"
#include "semiring/length.hpp"

namespace apsp::rows {

// "No path" among labels: two unsigned ones below it never wrap when they are added (8-bit and 16-bit sums
// saturate).
template <class L>
inline constexpr L kNoLabel = std::is_floating_point_v<L> ? std::numeric_limits<L>::infinity()
                              : sizeof(L) <= 2            ? std::numeric_limits<L>::max()
                                                          : std::numeric_limits<L>::max() / 2;

template <class L>
L lane_sum(L label, L weight) noexcept {
  if constexpr (sizeof(L) <= 2) {
    const std::uint32_t sum = static_cast<std::uint32_t>(label) + weight;
    return static_cast<L>(sum < kNoLabel<L> ? sum : kNoLabel<L>);
  } else {
    return label + weight;
  }
}

template <class L>
L weight_of(const LaneArc<L>& arc) noexcept {
  return static_cast<L>(arc.weight);  // of a repeated one, the lowest part
}

// An order of the vertices, by default the breadth-first one, and its inverse.
struct VertexOrder {
  std::vector<std::int32_t> original, inner;

  explicit VertexOrder(const graph::Csr& graph);
  // of: a permutation.
  explicit VertexOrder(std::vector<std::int32_t> of);
};

// The largest weight below "no path", and the mean of those; throws std::invalid_argument for a weight that
// is below zero or not-a-number.
template <class W>
struct WeightScale {
  W largest{};
  double mean = 0;

  WeightScale(const W* weights, std::int64_t m);
};

template <class L>
class LaneGraph {
 public:
  // Every weight that is below "no path" in W must be below kNoLabel<L>.
  template <class W>
  LaneGraph(const graph::Csr& graph, const W* weights, const VertexOrder& order);

  // The same arcs with weights that are so many bits further left, or "no path" where these do not fit.
  template <class From>
  LaneGraph(const LaneGraph<From>& other, int shift)
      : out_start_(other.out_start_),
        in_start_(other.in_start_),
        out_(other.out_.size()),
        in_(other.in_.size()) {
    const auto copy = [&](const std::vector<LaneArc<From>>& from, std::vector<LaneArc<L>>& to) {
      for (std::size_t a = 0; a < from.size(); ++a) {
        const auto weight = static_cast<std::uint64_t>(weight_of(from[a]));
        const bool fits = weight < static_cast<std::uint64_t>(kNoLabel<L>) >> shift;
        to[a] = {from[a].vertex, packed(fits ? static_cast<L>(weight << shift) : kNoLabel<L>)};
      }
    };
    copy(other.out_, out_), copy(other.in_, in_);
  }

  LaneGraphView<L> view() const noexcept {
    const auto n = static_cast<std::int64_t>(out_start_.size()) - 1;
    return {n, out_start_.data(), out_.data(), in_start_.data(), in_.data()};
  }

  // For predecessors: finds the components of the arcs of length zero. From now on the arcs inside a
  // component come first among those into a vertex.
  void find_zero_components(const Control& control);

  // Null if no arc has length zero, or none have been looked for.
  const graph::ZeroComponents* zero_components() const noexcept {
    return zero_ && zero_->any() ? &*zero_ : nullptr;
  }
  // (n,) Where the other arcs into each vertex begin.
  const std::int64_t* rising() const noexcept { return rising_.empty() ? in_start_.data() : rising_.data(); }

 private:
  template <class From>
  friend class LaneGraph;

  static typename LaneArc<L>::Packed packed(L weight) noexcept {
    if constexpr (sizeof(L) == 1) return weight * 0x1010101u;
    if constexpr (sizeof(L) == 2) return weight * 0x10001u;
    return weight;
  }

  void reverse(std::int64_t n);

  std::vector<std::int64_t> out_start_, in_start_;
  std::vector<LaneArc<L>> out_, in_;
  std::optional<graph::ZeroComponents> zero_;
  std::vector<std::int64_t> rising_;
};

}  // namespace apsp::rows
