// Paths of many pairs from a factor: first their routes, which tell how long they are; then their vertices.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/steps.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// The paths of many pairs in a few entries each.
struct Routes {
  std::vector<std::int64_t> start;   // (count + 1) of the entries of each pair
  std::vector<std::int32_t> entry;   // of the factor, or -1 - v: an arc to v
  std::vector<std::int64_t> length;  // (count) vertices: 0 without a path, -1 if an entry is unknown
};

struct RoutesView {
  const std::int64_t* start;
  const std::int32_t* entry;
  std::int64_t* length;
  std::int64_t count;
};

// arcs: of the entries, see steps.hpp. Writes dist (count) in public values, as fill_pairs does. Advances
// control by one per pair.
template <class T>
Routes find_routes(const Factored<T>& factored, const std::int32_t* arcs, const Vertex* sources,
                   const Vertex* targets, std::int64_t count, T* dist, Team& team, Control& control);

// Writes the vertices of the pairs; those of the i-th go to vertices[offsets[i]] .. vertices[offsets[i + 1] -
// 1], and pairs without known routes are left out. If loops may occur (cycles of length zero, or below
// rounding), they are cut out: a path may then have fewer vertices, and its new length is written to
// `routes.length`. Memory: 4 bytes per entry, and at most half of the vertices again. Advances control by one
// per pair.
void unfold(const RoutesView& routes, const Step* steps, const std::int32_t* arcs, std::int64_t entries,
            const Vertex* sources, std::int64_t n, bool loops, const std::int64_t* offsets,
            std::int32_t* vertices, Team& team, Control& control);

}  // namespace apsp::elimination
