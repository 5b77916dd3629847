// The remaining steps for single rows of predecessors: arcs out of a zone, arcs along which labels do not
// increase, cutoffs of lengths that may decrease along a path.
#pragma once
#include <cstdint>
#include <vector>

#include "rows/lane_graph.hpp"
#include "rows/request.hpp"

namespace apsp::rows {

// One lane of the labels, and the row of predecessors that it gets.
template <class L>
struct LaneTree {
  const LaneGraphView<L>& graph;
  const VertexOrder& order;
  const L* labels;  // of this lane, kLabelLanes<L> apart
  L none;
  std::int32_t source;  // in the original order, as are the columns of pred
  std::int32_t* pred;

  L label(std::int64_t inner) const noexcept { return labels[inner * kLabelLanes<L>]; }
  bool reached(std::int64_t inner) const noexcept { return label(inner) < none; }
  bool joined(std::int64_t inner) const noexcept {
    const std::int32_t name = order.original[inner];
    return reached(inner) && (pred[name] >= 0 || name == source);
  }

  // The source is a zone, and its arcs are not in the graph: heads of tight ones get it as predecessor, and
  // joined(inner) is called for each.
  template <class W, class Joined>
  void join_zone(const graph::Csr& csr, const W* weights, const Joined& joined) const {
    for (std::int64_t a = csr.indptr[source]; a < csr.indptr[source + 1]; ++a) {
      const std::int32_t head = csr.indices[a], v = order.inner[head];
      if (head == source || !(weights[a] < semiring::kNoPath<W>) || !reached(v)) continue;
      if (static_cast<L>(weights[a]) != label(v)) continue;
      pred[head] = source;
      joined(v);
    }
  }

  // Floats: forgets the predecessors at the same label, to find them in another way.
  void forget_equals() const {
    for (std::int64_t v = 0; v < graph.n; ++v) {
      std::int32_t& before = pred[order.original[v]];
      if (before >= 0 && before != source && !(label(order.inner[before]) < label(v))) before = -1;
    }
  }

  // Floats: vertices whose only tight arcs come from equal labels (arcs of length zero, or too short to count
  // in a rounded sum) are added through a vertex that was added before, so there are no cycles.
  void join_equals(std::vector<std::int32_t>& stack) const {
    for (std::int32_t v = 0; v < graph.n; ++v) {
      if (!reached(v) || joined(v)) continue;
      for (std::int64_t a = graph.in_start[v]; a < graph.in_start[v + 1] && !joined(v); ++a)
        if (joined(graph.in[a].vertex)) join(graph.in[a].vertex, v, weight_of(graph.in[a]));
      if (joined(v)) stack.push_back(v);
      while (!stack.empty()) {
        const std::int32_t u = stack.back();
        stack.pop_back();
        for (std::int64_t a = graph.out_start[u]; a < graph.out_start[u + 1]; ++a) {
          const std::int32_t head = graph.out[a].vertex;
          if (reached(head) && !joined(head) && join(u, head, weight_of(graph.out[a]))) stack.push_back(head);
        }
      }
    }
  }

 private:
  bool join(std::int32_t u, std::int32_t v, L weight) const {
    if (lane_sum(label(u), weight) != label(v)) return false;
    pred[order.original[v]] = order.original[u];
    return true;
  }
};

// Lengths may decrease along a path, so a path within the cutoff may pass through vertices beyond it: those
// keep their predecessors, all others beyond it lose them. The cutoff has not been applied to dist (n,) yet.
template <class T>
void keep_needed(std::int32_t source, const T* dist, std::int64_t n, T cutoff, std::int32_t* pred,
                 std::vector<std::uint8_t>& needed) {
  needed.assign(n, 0);
  for (std::int64_t v = 0; v < n; ++v)
    if (!(cutoff < dist[v]))
      for (std::int64_t u = v; u >= 0 && !needed[u]; u = u == source ? -1 : pred[u]) needed[u] = 1;
  for (std::int64_t v = 0; v < n; ++v)
    if (!needed[v]) pred[v] = -1;
}

}  // namespace apsp::rows
