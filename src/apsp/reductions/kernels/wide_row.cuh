// A row of distances read 16 bytes at a time, wherever it begins.
#pragma once
#include "semiring.cuh"

namespace apsp {

// Values as they are read; two per register if they have 16 bits.
template <class T>
struct alignas(16) Vector {
  static constexpr int kWidth = 16 / sizeof(T);
  unsigned words[4];

  __device__ __forceinline__ T at(int j) const {
    if constexpr (sizeof(T) == 2)
      return static_cast<T>(words[j / 2] >> (16 * (j % 2)));
    else if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(T, words[j]);
    else
      return __builtin_bit_cast(T, words[2 * j] | static_cast<unsigned long long>(words[2 * j + 1]) << 32);
  }
  __device__ __forceinline__ void set(int j, T value) {
    if constexpr (sizeof(T) == 2) {
      const unsigned shift = 16 * (j % 2);
      words[j / 2] = (words[j / 2] & ~(0xffffu << shift)) | static_cast<unsigned>(value) << shift;
    } else if constexpr (sizeof(T) == 4) {
      words[j] = __builtin_bit_cast(unsigned, value);
    } else {
      const auto bits = __builtin_bit_cast(unsigned long long, value);
      words[2 * j] = static_cast<unsigned>(bits);
      words[2 * j + 1] = static_cast<unsigned>(bits >> 32);
    }
  }
};

// The vectors lie at multiples of 16 bytes: the first one may begin before the row, the last one end after
// it.
template <class T>
struct WideRow {
  static constexpr int kWidth = Vector<T>::kWidth;
  const T* begin;
  int n, lead, vectors;

  __device__ __forceinline__ WideRow(const T* begin, int n)
      : begin(begin),
        n(n),
        lead(static_cast<int>(reinterpret_cast<unsigned long long>(begin) / sizeof(T) % kWidth)),
        vectors((lead + n + kWidth - 1) / kWidth) {}

  __device__ __forceinline__ int column(int vector) const { return vector * kWidth - lead; }

  // "No path" where there is no column.
  __device__ __forceinline__ Vector<T> load(int vector) const {
    const int first = column(vector);
    if (first >= 0 && first + kWidth <= n) return *reinterpret_cast<const Vector<T>*>(begin + first);
    Vector<T> part{};
#pragma unroll
    for (int j = 0; j < kWidth; ++j)
      part.set(j, first + j >= 0 && first + j < n ? begin[first + j] : Range<T>::kMost);
    return part;
  }
};

}  // namespace apsp
