// The algebras of the kernels, one struct each: the type of a value, the value of "no path" while a kernel
// runs, and the fastest way to compute a pair (choose, join). apsp/semiring.py holds the public values.
//
//   Value    one entry of a matrix in memory                Word     a register of kLanes values
//   relax    choose(c, join(a, b)), lane by lane            relax2   two of them on the same c, in order
//   spread   either value in every lane                      Single   the algebra of one value a register
//   relax2_multiplied   relax2 for integers on a GPU whose fused add-and-minimum is slow beside its
//   multipliers:
//            sums come from a multiplication by `one`, which is 1 and not known to the compiler, and one
//            3-input minimum takes two of them. relax2 for half of the entries and this for the others is
//            best.
#pragma once

namespace apsp {

template <class T>
constexpr bool kIsFloat = T(1) / T(2) != T(0);

template <class T>
struct Range;
template <>
struct Range<unsigned short> {
  static constexpr unsigned short kLeast = 0, kMost = 65535, kNoPath = 32767;
};
template <>
struct Range<int> {
  static constexpr int kLeast = -2147483647 - 1, kMost = 2147483647, kNoPath = kMost / 2;
};
template <>
struct Range<long long> {
  static constexpr long long kMost = 9223372036854775807LL, kLeast = -kMost - 1, kNoPath = kMost / 2;
};
template <>
struct Range<float> {
  static constexpr float kMost = __builtin_bit_cast(float, 0x7f800000u), kLeast = -kMost, kNoPath = kMost;
  static constexpr float kEpsilon = 1.1920928955078125e-07f;  // from 1 to the next value
};
template <>
struct Range<double> {
  static constexpr double kMost = __builtin_bit_cast(double, 0x7ff0000000000000ull), kLeast = -kMost,
                          kNoPath = kMost, kEpsilon = 2.220446049250313e-16;
};

// Two values of 16 bits share a register.
template <class T>
struct Lanes {
  using Word = T;
  using SingleValue = T;
  static constexpr int kCount = 1;
};
template <>
struct Lanes<unsigned short> {
  using Word = unsigned;
  using SingleValue = int;
  static constexpr int kCount = 2;
};

// Two neighbours of a row.
template <class T>
struct alignas(2 * sizeof(T)) Couple {
  T first, second;
};

// The part that all algebras of a dtype share.
template <class T>
struct Entries {
  using Value = T;
  using Word = typename Lanes<T>::Word;
  static constexpr int kLanes = Lanes<T>::kCount;
  static __device__ __forceinline__ Couple<Word> spread(Couple<T> couple) {
    if constexpr (kLanes == 2) {
      const unsigned both = __builtin_bit_cast(unsigned, couple);
      return {__byte_perm(both, 0, 0x1010), __byte_perm(both, 0, 0x3232)};
    } else {
      return {couple.first, couple.second};
    }
  }
};

template <class T>
__device__ __forceinline__ T smaller(T a, T b) {
  return b < a ? b : a;
}
template <class T>
__device__ __forceinline__ T larger(T a, T b) {
  return a < b ? b : a;
}
__device__ __forceinline__ float smaller(float a, float b) { return fminf(a, b); }  // one FMNMX
__device__ __forceinline__ float larger(float a, float b) { return fmaxf(a, b); }

// Shortest paths. Signed integers: "no path" is half of the range, as in the CPU kernels, so a sum of two
// cannot wrap. 16 bits: values stay below 2^15, which the planner has proven, so a sum of two cannot wrap
// either.
template <class T>
struct MinPlus : Entries<T> {
  using typename Entries<T>::Word;
  using Entries<T>::kLanes;
  using Single = MinPlus<typename Lanes<T>::SingleValue>;
  static constexpr bool kSums = true;
  static constexpr T kNoPath = Range<T>::kNoPath, kEmptyPath = T(0);
  static __device__ __forceinline__ bool better(T a, T b) { return a < b; }
  static __device__ __forceinline__ Word relax(Word c, Word a, Word b) {
    if constexpr (kLanes == 2) {
#if __CUDA_ARCH__ >= 900
      return __viaddmin_u16x2(a, b, c);
#else
      return __vminu2(c, a + b);  // no carry from one lane into the other
#endif
    } else if constexpr (sizeof(T) == 4 && !kIsFloat<T>) {
#if __CUDA_ARCH__ >= 900
      return __viaddmin_s32(a, b, c);
#else
      return smaller<int>(c, a + b);
#endif
    } else {
      return smaller(c, a + b);
    }
  }
  static __device__ __forceinline__ Word relax2(Word c, Word a0, Word b0, Word a1, Word b1) {
    return relax(relax(c, a0, b0), a1, b1);
  }
  static __device__ __forceinline__ Word relax2_multiplied(Word c, Word a0, Word b0, Word a1, Word b1,
                                                           int one) {
    if constexpr (kLanes == 2) {
      return __vimin3_u16x2(a0 * one + b0, a1 * one + b1, c);
    } else if constexpr (sizeof(T) == 4 && !kIsFloat<T>) {
      return __vimin3_s32(a0 * one + b0, a1 * one + b1, c);
    } else {
      return relax2(c, a0, b0, a1, b1);
    }
  }
};

// Shortest paths of floats that are at least +0: their bits order as integers, and one 3-input minimum serves
// two pairs.
struct MinPlusNonNegative : MinPlus<float> {
  using Single = MinPlus<float>;
  static __device__ __forceinline__ float relax2(float c, float a0, float b0, float a1, float b1) {
    const int bits = __float_as_int(c), first = __float_as_int(a0 + b0), second = __float_as_int(a1 + b1);
#if __CUDA_ARCH__ >= 900
    return __int_as_float(__vimin3_s32(first, second, bits));
#else
    return __int_as_float(min(min(bits, first), second));
#endif
  }
  static __device__ __forceinline__ float relax2_multiplied(float c, float a0, float b0, float a1, float b1,
                                                            int) {
    return relax2(c, a0, b0, a1, b1);
  }
};

// Bottlenecks: the value of a path is that of its worst arc. Widest paths have the largest, minimax paths the
// smallest.
template <class T, bool kWidest>
struct Bottleneck : Entries<T> {
  using typename Entries<T>::Word;
  using Entries<T>::kLanes;
  using Single = Bottleneck<typename Lanes<T>::SingleValue, kWidest>;
  static constexpr bool kSums = false;
  static constexpr T kNoPath = kWidest ? Range<T>::kLeast : Range<T>::kMost;
  static constexpr T kEmptyPath = kWidest ? Range<T>::kMost : Range<T>::kLeast;
  static __device__ __forceinline__ bool better(T a, T b) { return kWidest ? a > b : a < b; }
  static __device__ __forceinline__ Word relax(Word c, Word a, Word b) {
    if constexpr (kLanes == 2)
      return kWidest ? __vmaxu2(c, __vminu2(a, b)) : __vminu2(c, __vmaxu2(a, b));
    else
      return kWidest ? larger(c, smaller(a, b)) : smaller(c, larger(a, b));
  }
  static __device__ __forceinline__ Word relax2(Word c, Word a0, Word b0, Word a1, Word b1) {
    return relax(relax(c, a0, b0), a1, b1);
  }
  static __device__ __forceinline__ Word relax2_multiplied(Word c, Word a0, Word b0, Word a1, Word b1, int) {
    return relax2(c, a0, b0, a1, b1);
  }
};
template <class T>
using MaxMin = Bottleneck<T, true>;
template <class T>
using MinMax = Bottleneck<T, false>;

}  // namespace apsp
