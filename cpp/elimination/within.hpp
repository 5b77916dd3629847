// Sums of amounts over the vertices within the longest cutoff of every source. The sweeps skip all that is
// farther from every source of a batch: single rows and columns of panels, and whole subtrees.
#pragma once
#include <cstdint>

#include "elimination/rows.hpp"
#include "reductions/weighing.hpp"

namespace apsp::elimination {

// T: uint16_t or int32_t, and no distance is below 0. weighing.cutoffs are distances of T. Advances control
// by one per source. Every source has one lane, whose sums are taken in the order of the tree: they are the
// same for any number of threads and any other sources.
template <class T>
void weigh_within(const Factored<T>& factored, const std::int32_t* sources, std::int64_t count,
                  const reductions::Weighing<T>& weighing, int threads, Control& control);

}  // namespace apsp::elimination
