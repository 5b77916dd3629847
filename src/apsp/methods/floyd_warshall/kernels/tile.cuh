// Copies of tiles from device memory through shared memory to registers: 16 bytes at a time if the matrix is
// aligned, value by value otherwise and at its edges.
#pragma once
#include "async_copy.cuh"
#include "semiring.cuh"

namespace apsp {

// How a block's tile of C is divided; chosen by policy.py, which also passes the derived quantities (Launch).
// A warp is 4 rows of 8 lanes; sizes in bytes are the same for every dtype, so that the loops over them are
// too.
template <int kThreadRows_, int kThreadVectors_, int kWarpsDown, int kWarpsAcross_, int kDepthBytes_,
          int kStages_, int kPivots_, int kBlocks_, int kMultiplied_>
struct Shape {
  static constexpr int kThreadRows = kThreadRows_, kThreadVectors = kThreadVectors_;
  static constexpr int kWarpsAcross = kWarpsAcross_;
  static constexpr int kDepthBytes = kDepthBytes_;  // of a row of A in a stage
  static constexpr int kStages = kStages_;          // in shared memory at a time
  static constexpr int kPivots = kPivots_;          // of A that a thread holds at a time
  static constexpr int kBlocks = kBlocks_;          // on one multiprocessor
  static constexpr int kMultiplied = kMultiplied_;  // of 12 sums: made by the multiplier (see semiring.cuh)
  static constexpr int kThreads = 32 * kWarpsDown * kWarpsAcross;
  static constexpr int kRows = 4 * kThreadRows * kWarpsDown;
  static constexpr int kRowBytes = 128 * kThreadVectors * kWarpsAcross;
  static constexpr int kLeftPitch = kDepthBytes + 16;  // of a row of A: padded by 16, against bank conflicts
  static constexpr int kLeftBytes = kRows * kLeftPitch;
  static constexpr int kLeftVectors = kDepthBytes / 16,
                       kRightVectors = kRowBytes / 16;  // of a row of A, of B
  static constexpr int kLeftStep = kThreads / kLeftVectors,
                       kRightStep = kThreads / kRightVectors;  // rows at once
  static_assert(kThreads % kLeftVectors == 0 && kThreads % kRightVectors == 0 && kRows % kLeftStep == 0);
};

// Sizes of a shape for one algebra.
template <class Ops, class S>
struct Sizes {
  static constexpr int kVector = 16 / sizeof(typename Ops::Value);             // values of a 16-byte vector
  static constexpr int kDepth = S::kDepthBytes / sizeof(typename Ops::Value);  // pivots of a stage
  static constexpr int kColumns = S::kRowBytes / sizeof(typename Ops::Value);
  static constexpr int kStageBytes = S::kLeftBytes + kDepth * S::kRowBytes;
  static constexpr int kStages = S::kStages * kStageBytes;  // bytes of all of them
  static_assert(kDepth % S::kPivots == 0 && kDepth % S::kRightStep == 0);
};

// 16 bytes as the words that the arithmetic uses. Single values are extracted from the words by shifts: an
// array of narrow values would take one register per value.
template <class Ops>
union alignas(16) Vector {
  typename Ops::Word word[16 / sizeof(typename Ops::Word)];
  int4 raw;
};
template <class Ops>
__device__ __forceinline__ typename Ops::Value value_of(const Vector<Ops>& vector, int i) {
  if constexpr (Ops::kLanes == 2)
    return static_cast<typename Ops::Value>(vector.word[i / 2] >> (16 * (i % 2)));
  else
    return vector.word[i];
}
// Drop the first value.
template <class Ops>
__device__ __forceinline__ void shift_out(Vector<Ops>& vector) {
  constexpr int kLast = 16 / sizeof(typename Ops::Word) - 1;
#pragma unroll
  for (int i = 0; i <= kLast; ++i) {
    if constexpr (Ops::kLanes == 2)
      vector.word[i] = __funnelshift_r(vector.word[i], i < kLast ? vector.word[i + 1] : 0, 16);
    else if (i < kLast)
      vector.word[i] = vector.word[i + 1];
  }
}
// Put a value before the first, and drop the last.
template <class Ops>
__device__ __forceinline__ void shift_in(Vector<Ops>& vector, typename Ops::Value value) {
#pragma unroll
  for (int i = 16 / sizeof(typename Ops::Word) - 1; i >= 0; --i) {
    if constexpr (Ops::kLanes == 2)
      vector.word[i] =
          __funnelshift_l(i > 0 ? vector.word[i - 1] : unsigned(value) << 16, vector.word[i], 16);
    else
      vector.word[i] = i > 0 ? vector.word[i - 1] : value;
  }
}

// The first `count` values at `global`, followed by "no path", as one vector in shared memory.
template <class Ops>
__device__ __forceinline__ void stage_vector(void* shared, const typename Ops::Value* global, int count,
                                             bool aligned) {
  constexpr int kVector = 16 / sizeof(typename Ops::Value);
  if (aligned && count >= kVector) {
    copy_16_bytes(shared, global);
  } else {
#pragma unroll 1
    for (int i = 0; i < kVector; ++i)
      static_cast<typename Ops::Value*>(shared)[i] = i < count ? global[i] : Ops::kNoPath;
  }
}

// The same into registers. The loops over values are not unrolled, and shift the vector: they run only at
// edges, and more code would take registers and time.
template <class Ops>
__device__ __forceinline__ Vector<Ops> load_vector(const typename Ops::Value* global, int count,
                                                   bool aligned) {
  constexpr int kVector = 16 / sizeof(typename Ops::Value);
  Vector<Ops> vector = {};
  if (aligned && count >= kVector) {
    vector.raw = *reinterpret_cast<const int4*>(global);
  } else {
#pragma unroll 1
    for (int i = kVector - 1; i >= 0; --i) {
      typename Ops::Value value = Ops::kNoPath;
      if (i < count) value = global[i];
      shift_in<Ops>(vector, value);
    }
  }
  return vector;
}

template <class Ops>
__device__ __forceinline__ void store_vector(typename Ops::Value* global, Vector<Ops> vector, int count,
                                             bool aligned) {
  constexpr int kVector = 16 / sizeof(typename Ops::Value);
  if (aligned && count >= kVector) {
    *reinterpret_cast<int4*>(global) = vector.raw;
  } else {
#pragma unroll 1
    for (int i = 0; i < kVector; ++i) {
      if (i < count) global[i] = value_of<Ops>(vector, 0);
      shift_out<Ops>(vector);
    }
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
