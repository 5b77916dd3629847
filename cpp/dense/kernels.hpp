// The kernels of one (dtype, algebra) for the instruction set in force: a table of functions over packed
// operands. Three files (kernels_baseline, kernels_avx2, kernels_avx512) compile the same template, tile.hpp,
// into such tables.
#pragma once
#include <cstdint>

#include "dense/algebra.hpp"
#include "runtime/isa.hpp"

namespace apsp::dense {

template <class T>
struct Kernels {
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

  // Floyd-Warshall on one tile (size, size), size <= 256. Returns -1, or the first vertex whose cycle is
  // negative when it becomes the pivot (nothing has grown beyond a simple path by then). `scratch` holds
  // size * (size + 2 * 64) elements.
  std::int64_t (*close)(T* tile, std::int64_t stride, std::int64_t size, T* scratch);

  // Runs `rounds` of 24 or more independent choose(c, join(a, b)) in registers; returns how many pairs that
  // was.
  std::int64_t (*peak)(std::int64_t rounds);
};

// `nonnegative` promises that no value is below +0 (or -0): floats then compare as integers where that is
// faster.
template <class T>
const Kernels<T>& kernels(Algebra algebra, bool nonnegative);

// What the search for last arcs computes in: 16-bit distances as 32-bit ones, so that sums fit; "no path" is
// Bounds<Lane>::kNoPath.
template <class T>
using Lane = std::conditional_t<sizeof(T) == 2, std::int32_t, T>;

// The search itself, see lane_search.hpp: the predecessors of 16 rows at once.
constexpr int kSearchLanes = 16;

template <class T>
struct LaneSearch {
  std::int64_t n;
  std::int64_t first;  // the sources are first .. first + lanes - 1
  std::int64_t lanes;  // at most 16
  const T* dist;       // the rows of distances of the sources, in public values
  std::int64_t dist_stride;
  std::int32_t* pred;  // the same rows of predecessors: -1 where there is no path or no arc was found
  std::int64_t pred_stride;
  const std::int64_t* start;  // (n + 1): the tight arcs into each vertex, by ascending weight
  const std::int32_t* tail;
  const Lane<T>* weight;
  Lane<T>* scratch;  // (n rounded up to 16, 16)
};

// Returns the lanes that lack an answer somewhere, as bits.
template <class T>
std::uint32_t search_lanes(const LaneSearch<T>& search);

// One instruction set each; do not call without having asked isa().
#define APSP_DECLARE(set)                                     \
  namespace set {                                             \
  template <class T>                                          \
  const Kernels<T>& table(Algebra algebra, bool nonnegative); \
  template <class T>                                          \
  std::uint32_t search(const LaneSearch<T>& search);          \
  }
APSP_DECLARE(baseline)
APSP_DECLARE(avx2)
APSP_DECLARE(avx512)
#undef APSP_DECLARE

}  // namespace apsp::dense
