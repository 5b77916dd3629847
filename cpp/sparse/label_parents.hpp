// Predecessors out of final labels, a lane a source: for every vertex, the last arc into it that is tight
// (label of the tail + weight == label of the head) and rises strictly, so that no cycle can come about.
// Included by label_kernels_*.cpp only: see dense/lanes.hpp about APSP_SIMD.
#pragma once
#include "sparse/label_rows.hpp"

namespace apsp::sparse::APSP_SIMD {

template <class L>
struct Parents {
  static constexpr std::int64_t kLanes = kLabelLanes<L>;
  const LaneParents<L>& s;
  alignas(64) L own[kLanes];
  alignas(64) std::int32_t found[kLanes];
  alignas(64) std::int32_t missing[kLanes] = {};

  static L plus(L label, typename LaneArc<L>::Packed weight) {
    if constexpr (sizeof(L) == 2) {
      const std::uint32_t total = static_cast<std::uint32_t>(label) + (weight & 0xffff);
      return static_cast<L>(total < 0xffff ? total : 0xffff);
    } else {
      return label + weight;
    }
  }

  void find(std::int64_t v) {
    __builtin_memcpy(own, s.labels + v * kLanes, sizeof own);
    for (int lane = 0; lane < kLanes; ++lane) found[lane] = -1;
    for (std::int64_t a = s.graph.in_start[v]; a < s.graph.in_start[v + 1]; ++a) {
      const LaneArc<L> arc = s.graph.in[a];
      const std::int32_t name = s.names[arc.vertex];
      const L* from = s.labels + arc.vertex * kLanes;
      for (int lane = 0; lane < kLanes; ++lane) {
        const bool tight = (plus(from[lane], arc.weight) == own[lane]) & (from[lane] < own[lane]);
        found[lane] = tight ? name : found[lane];
      }
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      found[lane] = own[lane] < s.none ? found[lane] : -1;
      missing[lane] += (own[lane] < s.none) & (found[lane] < 0);
    }
  }

  void run() {
    const std::int64_t n = s.graph.n;
    alignas(64) std::int32_t lines[kTile][kLanes];
    alignas(64) std::int32_t tile[kTile][kTile];
    for (std::int64_t column = 0; column < n; column += kTile) {
      const std::int64_t width = n - column < kTile ? n - column : kTile;
      for (std::int64_t j = 0; j < width; ++j) {
        find(s.vertices[column + j]);
        __builtin_memcpy(lines[j], found, sizeof found);
      }
      for (std::int64_t first = 0; first < s.lanes; first += kTile) {
        for (int j = 0; j < kTile; ++j) __builtin_memcpy(tile[j], lines[j] + first, sizeof tile[j]);
        write_tile(tile, s.rows + first, s.lanes - first, column, n);
      }
    }
    for (int lane = 0; lane < kLanes; ++lane) s.missing[lane] = missing[lane];
  }
};

template <class L>
void parents(const LaneParents<L>& s) {
  Parents<L>{s, {}, {}}.run();
}

}  // namespace apsp::sparse::APSP_SIMD
