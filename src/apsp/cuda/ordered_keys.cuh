// Distances as unsigned integers of the same order, which radix selection takes apart digit by digit.
#pragma once
#include "semiring.cuh"

namespace apsp {

template <int kBytes>
struct UnsignedOf {
  using Type = unsigned;
};
template <>
struct UnsignedOf<8> {
  using Type = unsigned long long;
};

template <class T>
struct Ordered {
  using Key = typename UnsignedOf<sizeof(T)>::Type;
  static constexpr int kBits = 8 * sizeof(T);
  static constexpr Key kSign = Key(1) << (kBits - 1), kAll = kSign | (kSign - 1);

  // Equal distances have equal keys: -0 that of 0.
  static __device__ __forceinline__ Key key(T distance) {
    if constexpr (kIsFloat<T>) {
      const Key bits = distance == T(0) ? Key(0) : __builtin_bit_cast(Key, distance);
      return bits & kSign ? ~bits : bits | kSign;
    } else if constexpr (T(-1) < T(0)) {
      return static_cast<Key>(distance) ^ kSign;
    } else {
      return distance;
    }
  }

  static __device__ __forceinline__ T distance(Key key) {
    if constexpr (kIsFloat<T>)
      return __builtin_bit_cast(T, key & kSign ? key ^ kSign : ~key);
    else if constexpr (T(-1) < T(0))
      return static_cast<T>(key ^ kSign);
    else
      return static_cast<T>(key);
  }
};

}  // namespace apsp
