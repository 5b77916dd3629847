// The arcs of a graph of lanes without their weights, in one type for all labels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rows/lane_arcs.hpp"

namespace apsp::rows {

// The vertex of every arc of an array.
class ArcVertices {
 public:
  template <class L>
  explicit ArcVertices(const LaneArc<L>* arcs)
      : first_(reinterpret_cast<const std::byte*>(arcs) + offsetof(LaneArc<L>, vertex)),
        step_(sizeof *arcs) {}

  std::int32_t operator[](std::int64_t arc) const noexcept {
    std::int32_t vertex;
    std::memcpy(&vertex, first_ + arc * step_, sizeof vertex);
    return vertex;
  }

 private:
  const std::byte* first_;
  std::int64_t step_;
};

struct LaneShape {
  std::int64_t n;
  const std::int64_t* out_start;
  ArcVertices out;
  const std::int64_t* in_start;
  ArcVertices in;

  template <class L>
  LaneShape(const LaneGraphView<L>& graph)
      : n(graph.n), out_start(graph.out_start), out(graph.out), in_start(graph.in_start), in(graph.in) {}
};

}  // namespace apsp::rows
