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
// 1 / x within an ulp of it: two steps of Newton's method in one, from 20 bits; a division takes three times
// as long. x is a normal number whose reciprocal is one, too.
__device__ __forceinline__ double inverse_of(double x) {
#ifdef __CUDA_ARCH__
  double inverse;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(x));
  const double error = fma(-x, inverse, 1.0);
  return fma(inverse, fma(error, error, error), inverse);
#else
  return 1.0 / x;
#endif
}

// 0 if there is no path, or if the distance is 0.
template <class T>
__device__ __forceinline__ double reciprocal(T distance) {
  const bool counts = has_path(distance) && distance != T(0);
  const double x = counts ? static_cast<double>(distance) : 1.0;
  double inverse;
  if constexpr (kIsFloat<T> && sizeof(T) == 8)
    inverse = 1.0 / x;
  else
    inverse = inverse_of(x);
  return counts ? inverse : 0.0;
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
