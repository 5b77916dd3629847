// Sums of amounts over blocks of rows of distances.
#pragma once
#include <cstdint>

#include "reductions/rows.hpp"
#include "reductions/weighing.hpp"

namespace apsp::reductions {

// One pass over the rows for all cutoffs and amounts. Every row is summed by one thread in one order, so sums
// are the same for any number of threads.
template <class T>
void weigh_rows(const DistanceRows<T>& rows, const Weighing<T>& weighing, int threads, Control& control);

}  // namespace apsp::reductions
