// Tiles on their way from device memory through shared memory into registers: 16 bytes at a time where the
// matrix is aligned, value by value at its edges and where it is not.
#pragma once
#include "semiring.cuh"

namespace apsp {

// Sizes in bytes are the same for every dtype, so that the loops over them are too.
template <class Ops>
struct Shape {
  using Value = typename Ops::Value;
  static constexpr int kThreads = 256;
  static constexpr int kStages = 3;
  static constexpr int kVector = 16 / sizeof(Value);  // values of a 16-byte vector
  static constexpr int kRows = 128;
  static constexpr int kColumns = 512 / sizeof(Value);
  static constexpr int kDepth = 64 / sizeof(Value);  // pivots of a stage
  static constexpr int kPivots = 2;                  // of A that a thread holds at a time
  static constexpr int kLeftPitch = 80;  // bytes of a row of A: 16 more than it has, against bank conflicts
  static constexpr int kRightPitch = 512;
  static constexpr int kLeftBytes = kRows * kLeftPitch;
  static constexpr int kStageBytes = kLeftBytes + kDepth * kRightPitch;
};

// 16 bytes: values as they lie in memory, words as the arithmetic takes them.
template <class Ops>
union alignas(16) Vector {
  typename Ops::Value value[16 / sizeof(typename Ops::Value)];
  typename Ops::Word word[16 / sizeof(typename Ops::Word)];
};

// Global to shared, without a register where the architecture can.
__device__ __forceinline__ void copy_16_bytes(void* shared, const void* global) {
#if __CUDA_ARCH__ >= 800
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
#else
  *static_cast<int4*>(shared) = *static_cast<const int4*>(global);
#endif
}
__device__ __forceinline__ void end_of_stage() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int kPending>
__device__ __forceinline__ void await_stages() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
#endif
}

// kInside: the whole vector is there, and aligned.
//
// The first `count` values at `global` and "no path" behind them, as one vector in shared memory.
template <class Ops, bool kInside, bool kAligned>
__device__ __forceinline__ void stage_vector(void* shared, const typename Ops::Value* global, int count) {
  constexpr int kVector = Shape<Ops>::kVector;
  if (kInside || (kAligned && count >= kVector)) {
    copy_16_bytes(shared, global);
  } else {
    typename Ops::Value* to = static_cast<typename Ops::Value*>(shared);
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
      typename Ops::Value value = Ops::kNoPath;
      if (i < count) value = global[i];
      to[i] = value;
    }
  }
}

template <class Ops, bool kInside, bool kAligned>
__device__ __forceinline__ Vector<Ops> load_vector(const typename Ops::Value* global, int count) {
  constexpr int kVector = Shape<Ops>::kVector;
  Vector<Ops> vector;
  if (kInside || (kAligned && count >= kVector)) {
    vector = *reinterpret_cast<const Vector<Ops>*>(global);
  } else {
#pragma unroll
    for (int i = 0; i < kVector; ++i) {
      vector.value[i] = Ops::kNoPath;
      if (i < count) vector.value[i] = global[i];
    }
  }
  return vector;
}

template <class Ops, bool kInside, bool kAligned>
__device__ __forceinline__ void store_vector(typename Ops::Value* global, const Vector<Ops>& vector,
                                             int count) {
  constexpr int kVector = Shape<Ops>::kVector;
  if (kInside || (kAligned && count >= kVector)) {
    *reinterpret_cast<Vector<Ops>*>(global) = vector;
  } else {
#pragma unroll
    for (int i = 0; i < kVector; ++i)
      if (i < count) global[i] = vector.value[i];
  }
}

// A block's part of a range [0, size) without [skip_from, skip_to): where tile `index` of `length` begins and
// ends.
struct Span {
  int from, to;
};
__device__ __forceinline__ Span tile_of(int index, int length, int size, int skip_from, int skip_to) {
  const int before = (skip_from + length - 1) / length;
  const bool first_part = index < before;
  const int from = first_part ? index * length : skip_to + (index - before) * length;
  return {from, min(from + length, first_part ? skip_from : size)};
}

}  // namespace apsp
