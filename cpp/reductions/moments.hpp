// Sums over rows of squares of distances, and of distances times whole numbers per column: what the indices
// of Wiener's kind need. Columns without a path add nothing.
#pragma once
#include <cstdint>

#include "reductions/rows.hpp"
#include "runtime/control.hpp"

namespace apsp::reductions {

// squares and weighted (rows, 2) int64: the sum is 2^64 times the first number plus the second, read as
// unsigned. Of floats both are (rows,) doubles, good to a few roundings. Either may be null. Squares of int64
// must be below 2^126 in total.
template <class T>
void integer_moments(const DistanceRows<T>& rows, const std::int64_t* factors, std::int64_t* squares,
                     std::int64_t* weighted, int threads, Control& control);
template <class T>
void float_moments(const DistanceRows<T>& rows, const std::int64_t* factors, double* squares,
                   double* weighted, int threads, Control& control);

}  // namespace apsp::reductions
