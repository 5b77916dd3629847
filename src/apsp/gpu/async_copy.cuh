// Copies from device to shared memory, without a register in between if the architecture supports it. The
// copies of a stage are awaited together.
#pragma once

namespace apsp {

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void copy_16_bytes(void* shared, const void* global) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(shared)), "l"(global)
               : "memory");
#else
  *static_cast<int4*>(shared) = *static_cast<const int4*>(global);
#endif
}

// Copies the first `bytes` (0 or a multiple of 8) of kBytes (8 or 16), and fills the rest with zeros.
template <int kBytes>
__device__ __forceinline__ void copy_part(void* shared, const void* global, int bytes) {
#if __CUDA_ARCH__ >= 800
  if constexpr (kBytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(shared)), "l"(global),
                 "r"(bytes)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared_address(shared)), "l"(global),
                 "r"(bytes)
                 : "memory");
#else
  using Word = unsigned long long;
  for (int i = 0; i < kBytes / 8; ++i)
    static_cast<Word*>(shared)[i] = 8 * i < bytes ? static_cast<const Word*>(global)[i] : 0;
#endif
}

__device__ __forceinline__ void end_of_stage() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Wait for all stages but the last kPending.
template <int kPending>
__device__ __forceinline__ void await_stages() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
#endif
}

}  // namespace apsp
