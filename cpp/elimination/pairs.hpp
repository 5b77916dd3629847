// The distances of many pairs of vertices from a factor.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/factor.hpp"
#include "elimination/rows.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

// The numbers of the pairs, sorted by the places of their sources.
std::vector<std::int64_t> by_source(const std::vector<Vertex>& place, const Vertex* sources,
                                    std::int64_t count);

// Whether it pays to look for a mirrored factor (pair.hpp) before so many pairs: an entry takes about a
// nanosecond, and a pair then some microseconds less.
inline bool is_worth(std::int64_t pairs, const TreeView& tree) { return pairs > tree.entries() / 2048; }

// dist[i] = the distance from sources[i] to targets[i], (count,) each, in public values. Pairs are searched
// in the order of their sources in the tree: each source climbs once, and near sources read the same panels.
// Cost: see pair.hpp; memory: 3 n values per thread, 8 count bytes. Advances control by `count`.
template <class T>
void fill_pairs(const Factored<T>& factored, const Vertex* sources, const Vertex* targets, std::int64_t count,
                T* dist, Team& team, Control& control);

}  // namespace apsp::elimination
