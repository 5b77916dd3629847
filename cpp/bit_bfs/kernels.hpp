// Breadth-first search with one bit per source: the data of one level, and the table of its loops. See
// simd/dispatch.hpp.
#pragma once
#include <cstdint>

#include "rows/lane_arcs.hpp"
#include "runtime/control.hpp"
#include "simd/dispatch.hpp"

namespace apsp::bit_bfs {

constexpr int kBitWords = 8;  // 512 sources
constexpr int kBitPlanes = 16;

// One thread's search; a line is kBitWords words, bit b of word w belongs to source 64 w + b. The levels of a
// vertex are stored as differences from the first of them, in binary, one plane per digit: a level takes as
// many joins as that difference has ones, which are few if the sources are near each other.
struct BitSearch {
  rows::LaneGraphView<std::uint16_t> graph;  // the weights are not read
  std::uint64_t *seen, *frontier, *next;     // (n, kBitWords) each; see below
  std::uint64_t* planes[kBitPlanes];         // (n, kBitWords) each, as many as the level has digits
  std::uint16_t* first;                      // (n,) the level at which the vertex was seen first
  std::int64_t widest;                       // the largest distance of a level from the first
  std::int32_t* active;                      // (n,)
  std::int32_t* found;                       // (n + 1,)
  std::int64_t waiting;                      // vertices in active
  std::uint8_t* marks;                       // (n,) all 0 between levels
  std::uint64_t everyone[kBitWords];         // the bits of all sources
  const Control* control;
  bool (*stopped)(const Control*);
};

struct LevelKernels {
  // From level - 1 to level. Before and after: frontier holds the bits that are new at this level for the
  // vertices in active and is zero elsewhere. False if the work was stopped.
  // follow: along the arcs of the active vertices; next is all zero, before and after.
  bool (*follow)(BitSearch& search, std::int64_t level);
  // gather: every vertex that lacks a source reads its predecessors; next is undefined afterwards.
  bool (*gather)(BitSearch& search, std::int64_t level);
  // Moves the bits in `next` of the vertices in `found` (marked) to those that are new at this level.
  void (*settle)(BitSearch& search, std::int64_t count, std::int64_t level);
  // labels (count, 64): levels of some vertices for the sources of one word, 65535 where not seen.
  void (*levels)(const BitSearch& search, int word, const std::int32_t* vertices, std::int64_t count,
                 std::uint16_t* labels);
};

// Those of the instruction set in force.
const LevelKernels& kernels();

APSP_FOR_EACH_ISA(const LevelKernels& table();)

}  // namespace apsp::bit_bfs
