// The kernels of one (dtype, algebra): a table of functions over packed operands. See simd/dispatch.hpp.
#pragma once
#include <cstdint>

#include "semiring/algebra.hpp"
#include "simd/dispatch.hpp"

namespace apsp::floyd_warshall {

// What is proven of the values of a call in (min,+). More may be proven than a caller promises.
struct Proven {
  bool nonnegative = false;  // none is below +0, none is -0
  bool half_range = false;   // none is negative, and every finite result of uint16 is below kHalfRange

  constexpr Proven(bool is_nonnegative = false, bool is_half_range = false)  // NOLINT: a bool is the first
      : nonnegative(is_nonnegative), half_range(is_half_range) {}
};

// How a kernel of (min,+) computes. All compute the same values to the last bit, where their proof allows
// them.
enum class Arithmetic {
  kAny,        // floats as floats; sums of uint16 saturate
  kOnBits,     // the minimum of nonnegative floats is that of integers
  kHalfRange,  // sums of uint16 wrap above 65535, which two values of at most kHalfRange never reach
};

// "No path" of kHalfRange. Packed operands hold at most this; callers of the kernels turn results of at least
// this into "no path".
constexpr std::uint16_t kHalfRange = 32767;

template <class T>
struct Kernels {
  Arithmetic arithmetic;
  std::int64_t rows;     // MR: rows of the register tile; a packed left operand consists of groups of MR rows
  std::int64_t columns;  // NR: its columns; a packed right operand consists of strips of NR columns
  std::int64_t packed_bytes;  // of one entry of a packed left operand

  // Copies a (rows, depth) operand into groups [row / MR][depth][row % MR]; missing rows read as "no path".
  void (*pack_left)(const T* from, std::int64_t stride, std::int64_t rows, std::int64_t depth, void* to);

  // Copies a (depth, columns) operand into strips [column / NR][depth][column % NR]; missing columns as
  // above.
  void (*pack_right)(const T* from, std::int64_t stride, std::int64_t depth, std::int64_t columns, T* to);

  // c = choose(c, left join right) for c (rows, columns) and one strip or many; c must not overlap the packed
  // operands.
  void (*multiply)(std::int64_t rows, std::int64_t columns, std::int64_t depth, const void* left,
                   const T* right, T* c, std::int64_t stride);

  // The same for one strip of c at most, and via[i, j] = first + k where a pivot k improves c[i, j]: the
  // first of those that attain the new value. depth <= 128.
  void (*multiply_tracked)(std::int64_t rows, std::int64_t columns, std::int64_t depth, const void* left,
                           const T* right, T* c, std::int64_t stride, std::int32_t* via,
                           std::int64_t via_stride, std::int32_t first);

  // Floyd-Warshall on one tile (size, size), size <= 256. Returns -1, or the first vertex whose cycle is
  // negative when it becomes the pivot (no value exceeds that of a simple path by then). `scratch` holds
  // size * (size + 2 * 64) elements.
  std::int64_t (*close)(T* tile, std::int64_t stride, std::int64_t size, T* scratch);

  // Runs `rounds` of 24 or more independent choose(c, join(a, b)) in registers; returns the number of pairs.
  std::int64_t (*peak)(std::int64_t rounds);
};

// Those of the instruction set in force: of the variants that the proof allows, the preferred one, or the
// first.
template <class T>
const Kernels<T>& kernels(semiring::Algebra algebra, Proven proven);

// Null if these lanes have no such arithmetic, or it is never faster on this instruction set.
APSP_FOR_EACH_ISA(template <class T>
                  const Kernels<T>* table(semiring::Algebra algebra, Arithmetic arithmetic);)

}  // namespace apsp::floyd_warshall
