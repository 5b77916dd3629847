// Paths of many pairs from a factor: first their routes, which tell how long they are; then their vertices.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/route.hpp"
#include "elimination/steps.hpp"
#include "elimination/unpacking.hpp"
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

// Scratch memory for consecutive paths: 3 n values and 2 n vertices, of which a path touches few.
template <class T>
class PathSearch {
 public:
  // The caller keeps all of them alive. mirrored: see is_mirrored (pair.hpp).
  PathSearch(const Factored<T>& factored, const Places& places, const Children& children, bool mirrored);

  // The distance of two different vertices, in public values. enough: see PairSearch::to.
  T find(Vertex source, Vertex target, const T* enough);

  // Appends the route of the last pair, if there is a path. Returns the number of vertices, or -1 if an entry
  // is unknown. arcs: of the entries, see steps.hpp; null: the route is unpacked to arcs.
  std::int64_t route(const std::int32_t* arcs, std::vector<std::int32_t>& entries, const Control& control);

 private:
  RouteSearch<T> search_;
  Unpacking<T> unpacking_;
  Vertex source_ = -1;
};

// arcs: of the entries, or null, as for PathSearch::route. dist (count): in public values, as fill_pairs
// writes them, or known before (has_dist). most: bytes of the routes; if they do not suffice, throws
// std::bad_alloc. Advances control by one per pair.
template <class T>
Routes find_routes(const Factored<T>& factored, const Places& places, const Children& children, bool mirrored,
                   const std::int32_t* arcs, const Vertex* sources, const Vertex* targets, std::int64_t count,
                   T* dist, bool has_dist, std::int64_t most, Team& team, Control& control);

// Writes the vertices of the pairs; those of the i-th go to vertices[offsets[i]] .. vertices[offsets[i + 1] -
// 1], and pairs without known routes are left out. If loops may occur (cycles of length zero, or below
// rounding), they are cut out: a path may then have fewer vertices, and its new length is written to
// `routes.length`. Memory: 4 bytes per entry, and at most half of the vertices again. Advances control by one
// per pair.
void unfold(const RoutesView& routes, const Step* steps, const std::int32_t* arcs, std::int64_t entries,
            const Vertex* sources, bool loops, const std::int64_t* offsets, std::int32_t* vertices,
            Team& team, Control& control);

}  // namespace apsp::elimination
