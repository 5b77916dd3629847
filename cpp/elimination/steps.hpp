// What every entry of a factor stands for: an arc, or two other entries one after the other. So a path
// unfolds without a search. Geisberger, Sanders, Schultes and Delling 2008, "Contraction hierarchies",
// section 4.3 (unpacking), on supernodes.
//
// The rules: explained.hpp. The distances are final: no middle vertex needs to be stored while they are
// computed.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/rows.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

struct Step {
  static constexpr std::int32_t kArc = -1, kUnknown = -2;
  std::int32_t first, second;  // entries of the factor; or kArc and the head of the arc; or kUnknown
};

// (entries) of all entries; unknown for those without a path, and where sums of floats differ by more than
// rounding. Throws std::invalid_argument if there are 2^31 entries or more.
template <class T>
void explain(const Factored<T>& factored, Step* steps, Team& team, Control& control);

// (entries) the arcs of the path of each entry; 0 if it is unknown, or has n arcs or more: then it has loops.
void count_arcs(const Step* steps, std::int64_t entries, std::int64_t n, std::int32_t* arcs,
                Control& control);

}  // namespace apsp::elimination
