// Flows along shortest paths over the counted arcs of an elimination (cpp/flows/counted_arcs.hpp), from tiles
// of 32 sources: the data, and what a warp does with one place, a lane per source.
#pragma once
#include "semiring.cuh"

namespace apsp {

constexpr int kFlowThreads = 512, kFlowWarps = kFlowThreads / 32;
template <class T>
constexpr int kFlowBlocks = sizeof(T) == 4 ? 2 : 1;  // of a multiprocessor
constexpr double kMostPaths = 1e280;                 // as in cpp/flows/by_elimination.cpp

// An arc between a place and another; T: int, or double with integers.
template <class T>
struct alignas(2 * sizeof(T)) CountedArc {
  int other;
  T length;
};

template <class T>
struct FlowRange {
  static constexpr T kNone = 1 << 30;  // no path: kNone plus a length is a number, too
};
template <>
struct FlowRange<double> {
  static constexpr double kNone = Range<double>::kMost;
};

// Arcs of each place in one direction, in the order of the CPU; `paths` is how many paths an arc stands for.
template <class T>
struct CountedHalf {
  const long long *first, *last;  // (n,)
  const CountedArc<T>* arcs;
  const double* paths;
};

// Steps of places that do not depend on each other: begin .. few - 1 have up to 32 arcs, few .. end - 1 more.
struct FlowStep {
  int begin, few, end, unused;
};

// The needed places, step after step; the arcs of order[i] are start[i] .. start[i + 1] - 1.
template <class T>
struct FlowOrder {
  const int *order, *start;
  const CountedArc<T>* arcs;
  const double* paths;
  const FlowStep* steps;
};

// A tile has its own part of each array with `tiles` as its first dimension; lines are 32 values, one per
// source.
//
//   near    (tiles, n, lines)     distances from the sources
//   value   (tiles, n, lines)     on the way down the numbers of paths; on the way back the flow per path
//   that
//                                 ends at a place or leads on, which replaces them from the end
//   climbed (tiles, longest, lines)  numbers of paths on which every place comes before the last
//   path    (tiles, longest)      the places between the sources and their roots, ascending
//   met     (tiles, n)            whether a place is among them
//   demand  (tiles, targets, lines), or null: `to` (n,)
//   through, arrived (tiles, n)   sums over all batches
//   along_up, along_down          the same, per arc of `up`, and of `backward`
template <class T>
struct TreeFlows {
  CountedHalf<T> up, down;
  FlowOrder<T> onward, backward;  // arcs down by head, and by tail
  const unsigned char* needed;    // (n,) whether a place lies between the targets and their roots
  const int* node_first;          // (supernodes + 1,)
  const int* target_of;           // (n,) number of a target, or -1
  const double *to, *demand;
  T* near;
  double *value, *climbed;
  int* path;
  unsigned char* met;
  double *through, *arrived, *along_up, *along_down, *served;
  int* too_many;
  double cutoff;
  long long up_size, down_size;
  int n, longest, targets, onward_count, backward_count, unused;
};

// The supernodes on the paths of the tiles of a batch, and their sources by place; -1 where a tile has fewer.
struct FlowBatch {
  const int *node_start, *nodes,
      *node_at;        // (tiles + 1,); ascending; where the places of each begin in `path`
  const int* sources;  // (tiles, 32)
  const int* lengths;  // (tiles,) of path
};

// A tile of sources, which a block owns.
template <class T>
struct FlowTile {
  const TreeFlows<T>& s;
  T* near;
  double *value, *climbed, *through, *arrived, *along_up, *along_down;
  int* path;
  unsigned char* met;
  int lane, warp;

  __device__ __forceinline__ explicit FlowTile(const TreeFlows<T>& flows) : s(flows) {
    const long long tile = blockIdx.x;
    near = s.near + tile * s.n * 32;
    value = s.value + tile * s.n * 32;
    climbed = s.climbed + tile * s.longest * 32;
    path = s.path + tile * s.longest;
    met = s.met + tile * s.n;
    through = s.through + tile * s.n;
    arrived = s.arrived + tile * s.n;
    along_up = s.along_up + tile * s.up_size;
    along_down = s.along_down + tile * s.down_size;
    lane = threadIdx.x & 31;
    warp = threadIdx.x / 32;
  }

  __device__ __forceinline__ T& near_of(int place) const { return near[place * 32LL + lane]; }
  __device__ __forceinline__ double& value_of(int place) const { return value[place * 32LL + lane]; }
};

__device__ __forceinline__ double warp_sum(double value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

// *sum += value, by its only writer: an atomic operation, so that the warp does not wait for the old value.
__device__ __forceinline__ void add_to(double* sum, double value) {
#ifdef APSP_EMULATED
  *sum += value;
#else
  atomicAdd(sum, value);
#endif
}

constexpr int kArcsAhead = 4;

// Calls visit(arc number, arc, near of its other end) for every `step`th arc; reads are issued ahead.
template <int kAhead = kArcsAhead, class T, class Visit>
__device__ __forceinline__ void each_arc(const FlowTile<T>& tile, const CountedArc<T>* arcs, long long first,
                                         long long last, int step, Visit&& visit) {
  long long a = first;
  for (; a + (kAhead - 1) * step < last; a += kAhead * step) {
    CountedArc<T> arc[kAhead];
    T near[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) arc[k] = arcs[a + k * step];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) near[k] = tile.near_of(arc[k].other);
#pragma unroll
    for (int k = 0; k < kAhead; ++k) visit(a + k * step, arc[k], near[k]);
  }
  for (; a < last; a += step) {
    const CountedArc<T> arc = arcs[a];
    visit(a, arc, tile.near_of(arc.other));
  }
}

// A place with up to 32 arcs, one per lane of a warp: read ahead while the place before it is computed.
template <class T>
struct FewArcs {
  int place = -1, first = 0, count = 0;
  CountedArc<T> own;

  __device__ __forceinline__ FewArcs(const FlowOrder<T>& from, int i, int end, int lane) : own{0, T(0)} {
    if (i >= end) return;
    place = from.order[i];
    first = from.start[i];
    count = from.start[i + 1] - first;
    if (lane < count) own = from.arcs[first + lane];
  }

  __device__ __forceinline__ CountedArc<T> arc(int k) const {
    return {__shfl_sync(0xffffffffu, own.other, k), __shfl_sync(0xffffffffu, own.length, k)};
  }

  // Calls visit(k, arc, near of its other end) for every arc.
  template <class Visit>
  __device__ __forceinline__ void each(const FlowTile<T>& tile, Visit&& visit) const {
    for (int first = 0; first < count; first += kArcsAhead) {
      CountedArc<T> arcs[kArcsAhead];
      T near[kArcsAhead];
#pragma unroll
      for (int j = 0; j < kArcsAhead; ++j) {
        arcs[j] = arc(min(first + j, count - 1));
        near[j] = tile.near_of(arcs[j].other);
      }
#pragma unroll
      for (int j = 0; j < kArcsAhead; ++j)
        if (first + j < count) visit(first + j, arcs[j], near[j]);
    }
  }
};

}  // namespace apsp
