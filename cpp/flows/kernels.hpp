// One level of the search from 64 sources at once, with a number of paths and a flow per source and vertex:
// the data, and the table of its loops. See simd/dispatch.hpp.
#pragma once
#include <cstdint>

#include "simd/dispatch.hpp"

namespace apsp::flows {

constexpr int kLanes = 64;  // sources; bit b of a word belongs to source b

// Arcs by tail and by head in the inner order of the vertices, without those that leave zones.
struct HopArcs {
  std::int64_t n;
  const std::int64_t *out_start, *in_start;  // (n + 1,)
  const std::int32_t *heads, *tails;
  const std::int64_t* arcs;  // number of each outgoing arc in `along`
};

// One thread's search; lines are kLanes values.
struct LaneSearch {
  HopArcs graph;
  std::uint64_t* front;    // (n,) sources whose current level has the vertex, zero elsewhere
  double *paths, *shares;  // (n, kLanes) paths from the source; flow per path that leads on or ends here
  const double* to;        // (n,) demand to every vertex, or nullptr:
  const double* demand;    // (n, kLanes)
  double *through, *arrived, *along;  // (n,), (n,), (m,) or nullptr
  double served[kLanes], largest[kLanes];
};

struct LaneKernels {
  // Paths to `count` vertices for the sources in masks, over the arcs from the level in `front`.
  void (*count)(const LaneSearch& search, const std::int32_t* vertices, const std::uint64_t* masks,
                std::int64_t count);
  // Flows that pass and end at these vertices, with the next level in `front`.
  void (*share)(LaneSearch& search, const std::int32_t* vertices, const std::uint64_t* masks,
                std::int64_t count);
};

// Those of the instruction set in force.
const LaneKernels& kernels();

APSP_FOR_EACH_ISA(const LaneKernels& table();)

}  // namespace apsp::flows
