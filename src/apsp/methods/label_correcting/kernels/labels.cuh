// Tentative distances (labels) of one search: the stored form of a length, the lowering of a label, the
// layout of arcs.
//
//   Length   the type of sums                          Code    the stored form, in the order of lengths
//   Order    codes as they are compared                kNone   the code of "no path"
//   lower    make labels[v] at most `code`; the code that was there before
#pragma once
#include "semiring.cuh"

namespace apsp {

// Sums that do not flush the smallest floats to zero, regardless of compiler options.
template <class T>
__device__ __forceinline__ T exact_sum(T a, T b) {
  return a + b;
}
#ifndef APSP_EMULATED
__device__ __forceinline__ float exact_sum(float a, float b) {
  float sum;
  asm("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
  return sum;
}
#endif

// Lengths in 16 bits, two labels per word. Sums are computed in 32 bits, so they do not wrap.
struct NarrowLabels {
  using Code = unsigned short;
  using Order = int;
  using Length = int;
  static constexpr Order kNone = 65535;
  static constexpr bool kSigned = false;
  static __device__ __forceinline__ Length length(Order code) { return code; }
  static __device__ __forceinline__ Order code(Length length) { return length; }
  static __device__ __forceinline__ Order lower(Code* labels, int v, Order code) {
    auto* word = reinterpret_cast<unsigned*>(labels) + (v >> 1);
    const int shift = (v & 1) * 16;
    unsigned seen = *const_cast<volatile unsigned*>(word);
    for (;;) {
      const int old = (seen >> shift) & 0xffff;
      if (old <= code) return old;
      const unsigned found = atomicCAS(word, seen, seen ^ (unsigned(old ^ code) << shift));
      if (found == seen) return old;
      seen = found;
    }
  }
};

// Integers; the planner has proven that distances stay below a quarter of the range, which is "no path" here,
// so that the sum of a label and an arc cannot wrap.
template <class T>
struct IntegerLabels {
  using Code = T;
  using Order = T;
  using Length = T;
  static constexpr Order kNone = T(1) << (8 * sizeof(T) - 3);
  static constexpr bool kSigned = true;
  static __device__ __forceinline__ Length length(Order code) { return code; }
  static __device__ __forceinline__ Order code(Length length) { return length; }
  static __device__ __forceinline__ Order lower(Code* labels, int v, Order code) {
    return atomicMin(labels + v, code);
  }
};

// Floats, as integers in the same order.
struct FloatLabels {
  using Code = int;
  using Order = int;
  using Length = float;
  static constexpr Order kNone = 0x7f800000;
  static constexpr bool kSigned = true;
  static __device__ __forceinline__ Order code(Length length) {
    const int bits = __float_as_int(length);
    return bits ^ ((bits >> 31) & 0x7fffffff);
  }
  static __device__ __forceinline__ Length length(Order code) {
    return __int_as_float(code ^ ((code >> 31) & 0x7fffffff));
  }
  static __device__ __forceinline__ Order lower(Code* labels, int v, Order code) {
    return atomicMin(labels + v, code);
  }
};

struct DoubleLabels {
  using Code = long long;
  using Order = long long;
  using Length = double;
  static constexpr Order kNone = 0x7ff0000000000000ll;
  static constexpr bool kSigned = true;
  static __device__ __forceinline__ Order code(Length length) {
    const long long bits = __double_as_longlong(length);
    return bits ^ ((bits >> 63) & 0x7fffffffffffffffll);
  }
  static __device__ __forceinline__ Length length(Order code) {
    return __longlong_as_double(code ^ ((code >> 63) & 0x7fffffffffffffffll));
  }
  static __device__ __forceinline__ Order lower(Code* labels, int v, Order code) {
    return atomicMin(labels + v, code);
  }
};

// An arc in 32 bits: the head in the low `head_bits`, above it the weight, which is not negative.
struct PackedArc {
  unsigned bits;
  __device__ __forceinline__ int head(int head_bits) const { return bits & ((1u << head_bits) - 1); }
  template <class Length>
  __device__ __forceinline__ Length weight(int head_bits) const {
    return Length(bits >> head_bits);
  }
  template <class T>
  static __device__ __forceinline__ PackedArc of(int head, T weight, int head_bits) {
    return {unsigned(head) | (unsigned(weight) << head_bits)};
  }
  static __device__ __forceinline__ PackedArc number(int number) { return {unsigned(number)}; }
  __device__ __forceinline__ int number() const { return int(bits); }
};

// An arc with any weight.
template <class T>
struct alignas(2 * sizeof(T)) WideArc {
  T length;
  int to;
  __device__ __forceinline__ int head(int) const { return to; }
  template <class Length>
  __device__ __forceinline__ Length weight(int) const {
    return length;
  }
  static __device__ __forceinline__ WideArc of(int head, T weight, int) { return {weight, head}; }
  static __device__ __forceinline__ WideArc number(int number) { return {T(0), number}; }
  __device__ __forceinline__ int number() const { return to; }
};

// A record of a vertex: a link to further arcs (0 where there are none), then its first arcs, then loops of
// length 0, which lower nothing.
constexpr int kRecord = 8, kInRecord = kRecord - 1;

}  // namespace apsp
