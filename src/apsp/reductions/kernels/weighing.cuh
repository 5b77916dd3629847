// Sums of amounts over distances, with cutoffs and a function of the distance: as
// cpp/reductions/weighing.hpp, for some kinds of amounts and some cutoffs at a time.
#pragma once
#include "row_numbers.cuh"

namespace apsp {

constexpr int kCutoffs = 4;

// As Weighing of weigh.py.
template <class T, int kKinds>
struct Weighing {
  const double* amounts;  // (n, kKinds)
  double beta, midpoint;
  T cutoffs[kCutoffs];  // ascending
  int decay;            // 0 is none, then in the order of DECAYS

  __device__ __forceinline__ double factor(double distance) const {
    switch (decay) {
      case 1:
        return exp(-beta * distance);
      case 2:
        return exp(-beta * distance * distance);
      case 3:
        return (1 + exp(-beta * midpoint)) / (1 + exp(beta * (distance - midpoint)));
      case 4:
        return distance <= 1 ? 1.0 : pow(distance, -beta);
      case 5:
        return fmax(0.0, 1 - beta * distance);
    }
    return 1.0;
  }
};

template <class T, int kKinds>
struct WeighedSums {
  double of[kCutoffs][kKinds];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int c = 0; c < kCutoffs; ++c)
#pragma unroll
      for (int k = 0; k < kKinds; ++k) of[c][k] = 0;
  }
  __device__ __forceinline__ void add(const Weighing<T, kKinds>& weighing, T distance, int vertex) {
    if (!(distance <= weighing.cutoffs[kCutoffs - 1]) || !has_path(distance)) return;
    const double factor = weighing.factor(static_cast<double>(distance));
#pragma unroll
    for (int k = 0; k < kKinds; ++k) {
      const double amount = weighing.amounts[static_cast<long long>(vertex) * kKinds + k] * factor;
#pragma unroll
      for (int c = 0; c < kCutoffs; ++c) of[c][k] += distance <= weighing.cutoffs[c] ? amount : 0.0;
    }
  }

  // The sum `which` of all threads of the block, always added up in the same order; each thread with `which`
  // below kSums gets one. `parts` is shared memory.
  static constexpr int kSums = kCutoffs * kKinds;
  template <int kWarps>
  __device__ __forceinline__ double joined(double (&parts)[kWarps][kSums], int which) const {
#pragma unroll
    for (int c = 0; c < kCutoffs; ++c)
#pragma unroll
      for (int k = 0; k < kKinds; ++k) {
        double sum = of[c][k];
#pragma unroll
        for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32][c * kKinds + k] = sum;
      }
    __syncthreads();
    double sum = 0;
    if (which < kSums)
      for (int warp = 0; warp < kWarps; ++warp) sum += parts[warp][which];
    return sum;
  }
};

}  // namespace apsp
