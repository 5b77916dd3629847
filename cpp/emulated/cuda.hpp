// The part of CUDA C++ that the kernels use, in terms of C++: included before a .cu file, which is then
// compiled for this CPU without changes. Plain, or instrumented with APSP_COUNTED: then one launch runs at a
// time, on one core.
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "run/here.hpp"
#include "run/registry.hpp"
#include "run/wait.hpp"
#include "shared.hpp"

#define APSP_EMULATED  // parts that .cu files leave out, or write differently, in the emulation

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(bytes)

// Instrumented kernels: in the writable data of this library, which is how shared accesses are recognised.
#ifdef APSP_COUNTED
#define __shared__ static
#define APSP_SHARED_MEMORY ::apsp_emulated::counted_shared
#else
#define __shared__ static thread_local
#define APSP_SHARED_MEMORY ::apsp_emulated::plain_shared()
#endif
#define APSP_DYNAMIC_SHARED(type, name) auto* const name = reinterpret_cast<type*>(APSP_SHARED_MEMORY)

#define threadIdx (::apsp_emulated::here.thread)
#define blockIdx (::apsp_emulated::here.block)
#define blockDim (::apsp_emulated::here.block_size)
#define gridDim (::apsp_emulated::here.grid_size)

// -- waiting --------------------------------------------------------------------------------------

inline void __syncthreads() { apsp_emulated::meet_block(false, false); }
inline int __syncthreads_or(int claim) { return apsp_emulated::meet_block(claim != 0, true) > 0; }
inline int __syncthreads_count(int claim) { return apsp_emulated::meet_block(claim != 0, true); }
inline int __syncthreads_and(int claim) {
  return apsp_emulated::meet_block(claim != 0, true) == apsp_emulated::threads_met();
}

// All threads of a warp that have not ended take part, whatever the mask; only shuffles may name fewer.
inline void __syncwarp(unsigned = ~0u) { apsp_emulated::meet_warp(false); }
inline unsigned __ballot_sync(unsigned, int claim) { return apsp_emulated::meet_warp(claim != 0); }
inline int __any_sync(unsigned, int claim) { return apsp_emulated::meet_warp(claim != 0) != 0; }
inline int __all_sync(unsigned, int claim) {
  return apsp_emulated::meet_warp(claim != 0) == apsp_emulated::warp_met();
}

template <class T>
T apsp_exchanged(unsigned mask, T value, int from, int width) {
  static_assert(sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = mask == ~0u ? apsp_emulated::exchange(bits, from, width)
                     : apsp_emulated::exchange_among(mask, bits, from, width);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
T __shfl_sync(unsigned mask, T value, int from, int width = 32) {
  return apsp_exchanged(mask, value, apsp_emulated::lane() / width * width + from % width, width);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, int delta, int width = 32) {
  return apsp_exchanged(mask, value, apsp_emulated::lane() - delta, width);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, int delta, int width = 32) {
  return apsp_exchanged(mask, value, apsp_emulated::lane() + delta, width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  return apsp_exchanged(mask, value, apsp_emulated::lane() ^ bits, width);
}

inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __threadfence_block() {}
inline void __nanosleep(unsigned) {}

// -- memory ---------------------------------------------------------------------------------------

// Reads that bypass a cache, or use one: the emulation has no caches.
template <class T>
const T& __ldg(const T* from) {
  return *from;
}
template <class T>
const T& __ldcg(const T* from) {
  return *from;
}

inline std::size_t __cvta_generic_to_shared(const void* at) { return reinterpret_cast<std::size_t>(at); }

// -- numbers --------------------------------------------------------------------------------------

inline int __float_as_int(float value) { return std::bit_cast<int>(value); }
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline float __int_as_float(int value) { return std::bit_cast<float>(value); }
inline float __uint_as_float(unsigned value) { return std::bit_cast<float>(value); }
inline long long __double_as_longlong(double value) { return std::bit_cast<long long>(value); }
inline double __longlong_as_double(long long value) { return std::bit_cast<double>(value); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __ffsll(long long bits) { return __builtin_ffsll(bits); }
inline int __popc(unsigned bits) { return std::popcount(bits); }
inline int __popcll(unsigned long long bits) { return std::popcount(bits); }
inline int __clz(int bits) { return std::countl_zero(static_cast<unsigned>(bits)); }
inline int __clzll(long long bits) { return std::countl_zero(static_cast<unsigned long long>(bits)); }

template <class A, class B>
constexpr auto max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
constexpr auto min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}

// 32 bits of the 64 bits `high, low`, after a shift.
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}

// Bytes of the 8 bytes `high, low`, chosen by the low 3 bits of each digit.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(high) << 32 | low;
  unsigned found = 0;
  for (int i = 0; i < 4; ++i)
    found |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return found;
}

// Two values of 16 bits in each word.
template <class Operation>
unsigned apsp_in_halves(unsigned a, unsigned b, const Operation& of) {
  return of(a & 0xffff, b & 0xffff) | of(a >> 16, b >> 16) << 16;
}
inline unsigned __vminu2(unsigned a, unsigned b) {
  return apsp_in_halves(a, b, [](unsigned x, unsigned y) { return x < y ? x : y; });
}
inline unsigned __vmaxu2(unsigned a, unsigned b) {
  return apsp_in_halves(a, b, [](unsigned x, unsigned y) { return x < y ? y : x; });
}
inline unsigned __vcmpgeu2(unsigned a, unsigned b) {
  return apsp_in_halves(a, b, [](unsigned x, unsigned y) { return x < y ? 0u : 0xffffu; });
}
inline int __vimin3_s32(int a, int b, int c) { return std::min(std::min(a, b), c); }
inline unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2(__vminu2(a, b), c); }

struct int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) ulonglong2 {
  unsigned long long x, y;
};
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }

// -- atomics --------------------------------------------------------------------------------------

#ifdef APSP_COUNTED
#include "count/atomics.hpp"
using namespace apsp_emulated::counted;
#else
#include "run/atomics.hpp"
using namespace apsp_emulated::plain;
#endif
