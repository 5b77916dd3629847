// The atomic minimum for every dtype of costs, which are at least zero.
#pragma once

namespace apsp {

// *place = min(*place, value). The bits of floats that are at least +0 order as signed integers do.
__device__ __forceinline__ void lower(int* place, int value) { atomicMin(place, value); }
__device__ __forceinline__ void lower(long long* place, long long value) { atomicMin(place, value); }
__device__ __forceinline__ void lower(float* place, float value) {
  atomicMin(reinterpret_cast<int*>(place), __float_as_int(value));
}
__device__ __forceinline__ void lower(double* place, double value) {
  atomicMin(reinterpret_cast<long long*>(place), __double_as_longlong(value));
}

}  // namespace apsp
