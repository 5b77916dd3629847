// Distances as integers of the same order, and as unsigned ones, which radix selection reads digit by digit.
// Floats are never compared as floats: the compiler may treat tiny ones as 0 (-ftz).
#pragma once
#include "semiring.cuh"

namespace apsp {

template <class T>
struct OrderOf {
  using Order = T;
  using Key = unsigned;
};
template <>
struct OrderOf<long long> {
  using Order = long long;
  using Key = unsigned long long;
};
template <>
struct OrderOf<float> {
  using Order = int;
  using Key = unsigned;
};
template <>
struct OrderOf<double> {
  using Order = long long;
  using Key = unsigned long long;
};

template <class T>
struct Ordered {
  using Order = typename OrderOf<T>::Order;
  using Key = typename OrderOf<T>::Key;
  static constexpr int kBits = 8 * sizeof(T);
  static constexpr Key kSign = Key(1) << (kBits - 1), kAll = kSign | (kSign - 1);
  static constexpr Order kNoPath = __builtin_bit_cast(Order, Range<T>::kMost);  // the largest value

  // Integers are unchanged. Floats become their bits, negative ones the negated bits of their magnitude, so
  // that -0 is 0; not-a-number is "no path".
  static __device__ __forceinline__ Order order(T distance) {
    if constexpr (kIsFloat<T>) {
      const Key bits = __builtin_bit_cast(Key, distance);
      if ((bits & ~kSign) > Key(kNoPath)) return kNoPath;
      return static_cast<Order>(bits & kSign ? kSign - bits : bits);
    } else {
      return distance;
    }
  }

  static __device__ __forceinline__ Key key(Order order) {
    return Order(-1) < Order(0) ? static_cast<Key>(order) ^ kSign : static_cast<Key>(order);
  }
  static __device__ __forceinline__ Order order_of_key(Key key) {
    return static_cast<Order>(Order(-1) < Order(0) ? key ^ kSign : key);
  }
};

}  // namespace apsp
