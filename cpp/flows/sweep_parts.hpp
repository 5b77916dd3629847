// The places of a way down in parts, ascending: subtrees that are small enough to stay in the cache on the
// way down and on the way back, and the places above them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "elimination/tree.hpp"

namespace apsp::flows {

struct SweepPart {
  std::int64_t begin, end;     // in the list of places
  std::int32_t first, beyond;  // places
  bool is_subtree;             // or several, one after the other
};

constexpr std::int64_t kSubtreePlaces = 1024;

// The parts of some places (ascending) of a tree. Every later place that an arc of a subtree leads to is in
// the same part, or in none that is a subtree.
inline std::vector<SweepPart> sweep_parts(const elimination::TreeView& tree,
                                          const std::vector<std::int32_t>& places) {
  std::vector<std::int32_t> lowest(tree.nodes);
  for (std::int64_t s = 0; s < tree.nodes; ++s) lowest[s] = tree.first[s];
  for (std::int64_t s = 0; s < tree.nodes; ++s)
    if (const std::int64_t up = tree.parent[s]; up >= 0) lowest[up] = std::min(lowest[up], lowest[s]);
  std::vector<SweepPart> parts;  // descending
  for (std::int64_t s = tree.nodes - 1; s >= 0;) {
    const std::int32_t beyond = tree.first[s + 1];
    const bool is_subtree = beyond - lowest[s] <= kSubtreePlaces;
    const std::int32_t first = is_subtree ? lowest[s] : tree.first[s];
    SweepPart* last = parts.empty() || parts.back().is_subtree != is_subtree ? nullptr : &parts.back();
    if (last != nullptr && (!is_subtree || last->beyond - first <= kSubtreePlaces))
      last->first = first;
    else
      parts.push_back({0, 0, first, beyond, is_subtree});
    while (s >= 0 && tree.first[s] >= first) --s;
  }
  std::reverse(parts.begin(), parts.end());
  const auto position = [&](std::int32_t place) {
    return std::lower_bound(places.begin(), places.end(), place) - places.begin();
  };
  for (SweepPart& part : parts) {
    part.begin = position(part.first);
    part.end = position(part.beyond);
  }
  parts.erase(std::remove_if(parts.begin(), parts.end(),
                             [](const SweepPart& part) { return part.begin == part.end; }),
              parts.end());
  return parts;
}

}  // namespace apsp::flows
