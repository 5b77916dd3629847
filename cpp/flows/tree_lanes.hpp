// Sweeps over the arcs of an elimination for 16 sources at once: the data, and the table of their loops. See
// simd/dispatch.hpp.
#pragma once
#include <cstdint>

#include "simd/dispatch.hpp"

namespace apsp::flows {

constexpr std::int64_t kTreeLanes = 16;

// Arcs between each place and later ones, in one direction: those of u are first[u] .. last[u] - 1.
struct HalfArcs {
  const std::int64_t *first, *last;  // (n,)
  const std::int32_t* other;         // the later place
  const double *length, *paths;      // of an arc, and how many paths it stands for
};

// Some places, ascending. The lines of those before `end` are `shift` lines further on, where they stay in
// the cache: places of a subtree, whose other lines are those of places above it.
struct TreePlaces {
  const std::int32_t* places;
  std::int64_t count, end, shift;
};

// One thread's sweeps; lines are kTreeLanes values.
struct TreeSweep {
  HalfArcs up, down;        // from u to later places; from later places to u
  double *near, *paths;     // (lines, kTreeLanes) distances from the source, and numbers of shortest paths
  double* climbed;          // (n, kTreeLanes) the paths on which every vertex comes before this one
  double* onward;           // (lines, kTreeLanes) flow per path that leads on; zero between sweeps
  const std::uint8_t* met;  // (n,) whether a place is on the path from a source to its root
  const double* to;         // (n,) demand to every place, or nullptr:
  const double* demand;     // (n, kTreeLanes)
  double cutoff;
  double *through, *arrived, *along_up, *along_down;  // sums over all lanes
  double served[kTreeLanes];
  double largest;  // number of paths
};

struct TreeKernels {
  // Distances and then paths on the way up (push), distances from later places (pull), both on the way down,
  // and the ways back. Only those on the way down take places whose lines are elsewhere, and none of these is
  // met.
  void (*near_up)(TreeSweep& sweep, const TreePlaces& some);
  void (*near_down)(TreeSweep& sweep, const TreePlaces& some);
  void (*count_up)(TreeSweep& sweep, const TreePlaces& some);
  void (*count_down)(TreeSweep& sweep, const TreePlaces& some);
  void (*share_down)(TreeSweep& sweep, const TreePlaces& some);
  void (*share_up)(TreeSweep& sweep, const TreePlaces& some);

  // (near, paths)[j] = the shorter of it and (length + next[j], times next_paths[j]); paths are added up if
  // both are equally short.
  void (*join)(double* near, double* paths, double length, double times, const double* next,
               const double* next_paths, std::int64_t count);
};

// Those of the instruction set in force.
const TreeKernels& tree_kernels();

APSP_FOR_EACH_ISA(const TreeKernels& tree_table();)

}  // namespace apsp::flows
