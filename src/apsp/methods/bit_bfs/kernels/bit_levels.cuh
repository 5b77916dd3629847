// A level of a breadth-first search from 1,024 sources, one bit per source: a vertex pulls from the tails
// that were reached in the last level (Beamer, Asanovic, Patterson 2012, section 4).
#pragma once
#include "all_blocks.cuh"
#include "semiring.cuh"

namespace apsp {

constexpr int kWords = 32;  // of a vertex: a word per lane, a bit per source

// The state of a batch, in device memory. Rows of vertices have 32 words.
//
//   seen    (n, 32)          the sources that have reached the vertex
//   front   2 x (n, 32)      those that have reached it at this level, and at the next; valid if it is active
//   active  3 x (n / 32)     vertices whose front is not empty: read, written, and being cleared
//   done    (n / 32)         vertices that all sources have reached
//   planes  (bits, n, 32)    the levels, one bit per plane; a plane is valid from the level 2^plane on
//   found   3                whether a level found anything: read, written, and being cleared
//   pulled, arrivals         (hubs, 32) and (hubs,): results of the parts of hubs, and number of finished
//   parts; 0 between levels
struct Bfs {
  const long long* into;       // (n + 1,): where the arcs into a vertex begin
  const int* tails;            // (m,)
  const bool* closed;          // (n,) or null: vertices that no path passes through
  const int *hubs, *hub_ends;  // (hubs,) vertices with many arcs into them; where the parts of each end
  const int* parts;            // (parts,): the hub of each part of kPart arcs
  unsigned *seen, *front, *active, *done, *planes, *found, *pulled, *arrivals, *arrived;
  int n, group, most_levels, hub_count, part_count;
};

constexpr int kPart = 64;  // arcs; a vertex with more of them is a hub

// The part of a level that a warp processes: a lane has one word of each vertex.
struct Level {
  const Bfs& bfs;
  const unsigned *front, *active;
  unsigned *next, *now_active;
  long long size;
  int level, lane;
  unsigned full;  // all sources of the lane's word
  bool found;

  __device__ __forceinline__ Level(const Bfs& bfs, int level, unsigned full)
      : bfs(bfs),
        size(static_cast<long long>(bfs.n) * kWords),
        level(level),
        lane(threadIdx.x & 31),
        full(full),
        found(false) {
    const int words = (bfs.n + 31) / 32;
    front = bfs.front + ((level + 1) & 1) * size;
    next = bfs.front + (level & 1) * size;
    active = bfs.active + (level - 1) % 3 * words;
    now_active = bfs.active + level % 3 * words;
  }
  __device__ __forceinline__ bool opens() const { return (level & (level - 1)) == 0; }
  __device__ __forceinline__ unsigned* new_plane() const { return bfs.planes + (31 - __clz(level)) * size; }
  __device__ __forceinline__ long long at(int v) const { return static_cast<long long>(v) * kWords + lane; }
  __device__ __forceinline__ bool is_done(int v) const { return bfs.done[v >> 5] >> (v & 31) & 1; }

  // Which of up to 32 arcs have an active tail; each lane's own tail.
  __device__ __forceinline__ unsigned look(long long first, long long last, int& tail) const {
    tail = first + lane < last ? bfs.tails[first + lane] : 0;
    return __ballot_sync(0xffffffffu, first + lane < last && (active[tail >> 5] >> (tail & 31) & 1));
  }
  // The union of the fronts of these tails.
  __device__ __forceinline__ unsigned pull(unsigned which, int tail) const {
    unsigned pulled = 0;
    while (which != 0) {
      unsigned rows[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int u = __shfl_sync(0xffffffffu, tail, which != 0 ? __ffs(which) - 1 : 0);
        rows[k] = which != 0 ? front[at(u)] : 0;
        which &= which - 1;
      }
      pulled |= rows[0] | rows[1] | rows[2] | rows[3];
    }
    return pulled;
  }
  // Stores the sources that were found for a vertex.
  __device__ __forceinline__ void settle(int v, unsigned seen, unsigned fresh) {
    if (opens()) new_plane()[at(v)] = fresh;
    if (!__any_sync(0xffffffffu, fresh != 0)) return;
    found = true;
    bfs.seen[at(v)] = seen | fresh;
    next[at(v)] = fresh;
    const bool all = __all_sync(0xffffffffu, (seen | fresh) == full);
    if (lane == 0) {
      const unsigned bit = 1u << (v & 31);
      if (all) atomicOr(bfs.done + (v >> 5), bit);
      if (bfs.closed == nullptr || !bfs.closed[v]) atomicOr(now_active + (v >> 5), bit);
    }
    for (int bits = opens() ? 0 : level; bits != 0; bits &= bits - 1)
      atomicOr(bfs.planes + (__ffs(bits) - 1) * size + at(v), fresh);
  }

  // A part of a hub; the last part to finish stores the result.
  __device__ __forceinline__ void look_at_part(int part) {
    const int hub = bfs.parts[part], v = bfs.hubs[hub], begin = hub == 0 ? 0 : bfs.hub_ends[hub - 1];
    if (is_done(v)) {
      if (opens() && part == begin) new_plane()[at(v)] = 0;
      return;
    }
    const unsigned seen = bfs.seen[at(v)];
    const long long first = bfs.into[v] + static_cast<long long>(part - begin) * kPart;
    const long long last = min(first + kPart, bfs.into[v + 1]);
    int tail, later_tail;
    const unsigned which = look(first, last, tail), later = look(first + 32, last, later_tail);
    const unsigned fresh = (pull(which, tail) | pull(later, later_tail)) & ~seen;
    unsigned* pulled = bfs.pulled + hub * kWords + lane;
    if (fresh != 0) atomicOr(pulled, fresh);
    __threadfence();
    __syncwarp();
    unsigned before = 0;
    if (lane == 0) before = atomicAdd(bfs.arrivals + hub, 1u);
    if (__shfl_sync(0xffffffffu, before, 0) + 1 != unsigned(bfs.hub_ends[hub] - begin)) return;
    __threadfence();
    settle(v, seen, __ldcg(pulled));
    *pulled = 0;
    if (lane == 0) bfs.arrivals[hub] = 0;
  }

  // Some consecutive vertices, except hubs: their arcs are contiguous.
  __device__ __forceinline__ void look_at_group(int first, int count) {
    const int mine = first + min(lane, count);
    const long long begins = bfs.into[mine];
    const bool is_hub = __shfl_down_sync(0xffffffffu, begins, 1) - begins > kPart;
    const unsigned valid = (1u << count) - 1, plain = __ballot_sync(0xffffffffu, !is_hub) & valid;
    if (opens())
      for (unsigned rest = plain; rest != 0; rest &= rest - 1) new_plane()[at(first + __ffs(rest) - 1)] = 0;
    unsigned open = __ballot_sync(0xffffffffu, lane < count && !is_done(mine)) & plain;
    const long long end = __shfl_sync(0xffffffffu, begins, count);
    int tail = 0;
    unsigned which = 0;
    long long looked = -1;  // the first of the arcs that `which` refers to
    for (; open != 0; open &= open - 1) {
      const int k = __ffs(open) - 1;
      const long long from = __shfl_sync(0xffffffffu, begins, k),
                      to = __shfl_sync(0xffffffffu, begins, k + 1);
      const unsigned seen = bfs.seen[at(first + k)];
      unsigned pulled = 0;
      for (long long arc = from; arc < to;) {
        if (looked < 0 || arc >= looked + 32) {
          looked = arc;
          which = look(looked, end, tail);
        }
        const int low = int(arc - looked), high = int(min(to - looked, 32ll));
        pulled |= pull(which & (0xffffffffu >> (32 - high)) & (0xffffffffu << low), tail);
        arc = looked + high;
      }
      if (__any_sync(0xffffffffu, pulled != 0)) settle(first + k, seen, pulled & ~seen);
    }
  }
};

}  // namespace apsp
