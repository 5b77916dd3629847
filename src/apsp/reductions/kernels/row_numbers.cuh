// The numbers of a row of distances, or of a part of it (the same as cpp/reductions/rows.hpp), in public
// values.
#pragma once
#include "semiring.cuh"

namespace apsp {

template <class T>
struct SumOf {
  using Type = long long;
};
template <>
struct SumOf<float> {
  using Type = double;
};
template <>
struct SumOf<double> {
  using Type = double;
};

template <class T>
__device__ __forceinline__ bool has_path(T distance) {
  return distance != Range<T>::kMost;
}
template <class T>
__device__ __forceinline__ double reciprocal(T distance) {
  return has_path(distance) && distance != T(0) ? 1.0 / static_cast<double>(distance) : 0.0;
}

__device__ __forceinline__ void add_compensated(double& sum, double& error, double value) {
  const double next = sum + value;
  error += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
  sum = next;
}

// The sum, which is infinite if it is beyond the range: the error has no meaning then.
__device__ __forceinline__ double compensated(double sum, double error) {
  return fabs(sum) < Range<double>::kMost ? sum + error : sum;
}

// The numbers of a row, or of a part of it.
template <class T>
struct RowNumbers {
  long long reached;
  typename SumOf<T>::Type total;
  double reciprocals;
  T least, largest;
  int farthest;

  // Joins parts of one row; the first column at the largest distance counts.
  __device__ __forceinline__ void add(const RowNumbers& other) {
    if (other.farthest < 0) return;
    reached += other.reached;
    total += other.total;
    reciprocals += other.reciprocals;
    least = farthest < 0 || other.least < least ? other.least : least;
    const bool farther = other.largest > largest || (other.largest == largest && other.farthest < farthest);
    if (farthest < 0 || farther) {
      largest = other.largest;
      farthest = other.farthest;
    }
  }
};

}  // namespace apsp
