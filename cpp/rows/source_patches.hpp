// Sources that are near each other share most of their work: this divides the vertices into patches, each
// grown breadth-first (ignoring directions of arcs) next to the previous ones.
#pragma once
#include <cstdint>
#include <vector>

#include "rows/lane_graph.hpp"
#include "rows/lane_shape.hpp"

namespace apsp::rows {

// Whether some vertices are far apart, so that neighbours have more in common than others: a breadth-first
// search has many levels. The order of the vertices must be that of such a search. O(n + m).
bool is_deep(const LaneShape& graph);

// Patches of `size` vertices each, one after another; O(n + m). counts (n,), if given: patches have so many
// vertices with a mark.
std::vector<std::int32_t> source_patches(const LaneShape& graph, std::int64_t size,
                                         const std::uint8_t* counts = nullptr);

// Rows whose sources lie in one patch are neighbours. sources (count,); patches (n,): inner numbers.
std::vector<std::int64_t> rows_by_patch(const std::int32_t* sources, std::int64_t count,
                                        const VertexOrder& order, const std::vector<std::int32_t>& patches);

}  // namespace apsp::rows
