// A fast proof of an upper bound on distances, for graphs with short paths between all vertices: every path
// may go through one root r, so d(u, v) <= d(u, r) + d(r, v). A few sweeps over all arcs give upper bounds of
// both terms, which is sufficient: they need not be shortest. A path from a vertex that does not reach r, or
// to one that r does not reach, has no other vertices inside: where these are few, the sum of their longest
// arcs is a bound.
#pragma once
#include <cstdint>
#include <optional>

#include "graph/csr.hpp"

namespace apsp::facts {

// weights: (m,) or nullptr if every arc has length 1. Length is int64 or double and holds sums of two
// bounds. Returns a bound on every distance, or nothing if `sweeps` sweeps did not find all vertices that
// are joined to the root (with zones: every vertex must be), or the first ones found few. Stops early when
// the bound is at most `enough`. O(sweeps m). Zones may be ends of paths but not inner vertices, so the root
// must not be one.
template <class Weight, class Length>
std::optional<Length> through_root(const graph::Csr& graph, const Weight* weights, std::int32_t root,
                                   int sweeps, Length enough);

}  // namespace apsp::facts
