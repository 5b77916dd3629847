// A barrier for all blocks of a launch.
#pragma once

namespace apsp {

// All blocks wait for each other; writes before are visible after. All of them must be resident.
__device__ __forceinline__ void wait_for_all(unsigned* arrived, unsigned& target) {
  __syncthreads();
  if (threadIdx.x == 0) {
    target += gridDim.x;
    __threadfence();
    atomicAdd(arrived, 1u);
    while (*static_cast<volatile unsigned*>(arrived) - target >= 1u << 31) __nanosleep(20);
    __threadfence();
  }
  __syncthreads();
}

}  // namespace apsp
