// The order in which sweeps on a GPU visit the places: those of a level do not depend on each other.
#pragma once
#include <cstdint>
#include <vector>

#include "flows/counted_arcs.hpp"

namespace apsp::flows {

struct SweepOrder {
  std::vector<std::uint8_t> needed;  // (n,) places between the targets and their roots
  std::vector<std::int32_t> level;  // (n,) larger than that of every later place with an arc down to this one
  // Arcs down to needed places by their tails, the later places; ascending.
  std::vector<std::int64_t> below_start;  // (n + 1,)
  std::vector<std::int32_t> below;        // the earlier place of each
  std::vector<std::int64_t> below_arc;    // the number of each among the arcs down
};

// wanted: (n,) whether a place is a target.
SweepOrder sweep_order(const CountedArcs& arcs, std::vector<std::uint8_t> wanted);

}  // namespace apsp::flows
