// Breadth-first search from 1,024 sources at once, a bit a source (Then et al. 2014, section 3; pulling as in
// Beamer, Asanovic, Patterson 2012): the whole device works on one batch, level by level, and asks no host.
#include "semiring.cuh"

namespace apsp {

constexpr int kWords = 32;  // of a vertex: a word a lane, a bit a source

// The state of a batch, in device memory. Rows of vertices have 32 words.
//
//   seen    (n, 32)          who has reached the vertex
//   front   2 x (n, 32)      who has reached it at this level, and at the next; only where it is active
//   active  3 x (n / 32)     whose front is not empty: read, written, and being cleared
//   planes  (bits, n, 32)    the levels, a bit of them a plane; a plane is valid from the level 2^plane on
//   found   3                whether a level found anything: read, written, and being cleared
struct Bfs {
  const long long* into;  // (n + 1,): where the arcs into a vertex begin
  const int* tails;       // (m,)
  const bool* closed;     // (n,) or null: vertices that no path passes through
  unsigned *seen, *front, *active, *planes, *found, *arrived;
  int n, group, most_levels;
};

// All blocks wait for each other; what was written before is seen after. All of them must be resident.
__device__ __forceinline__ void wait_for_all(unsigned* arrived, unsigned& target) {
  __syncthreads();
  if (threadIdx.x == 0) {
    target += gridDim.x;
    __threadfence();
    atomicAdd(arrived, 1u);
    while (*static_cast<volatile unsigned*>(arrived) - target >= 1u << 31) {
    }
    __threadfence();
  }
  __syncthreads();
}

// The union of the fronts of all tails of a vertex, as far as it is of use: bits beyond `seen`.
__device__ __forceinline__ unsigned pull(const Bfs& bfs, const unsigned* front, const unsigned* active,
                                         long long first, long long last, unsigned seen, unsigned full) {
  const int lane = threadIdx.x & 31;
  unsigned pulled = 0;
  for (; first < last; first += 32) {
    const int tail = first + lane < last ? bfs.tails[first + lane] : -1;
    unsigned which = __ballot_sync(0xffffffffu, tail >= 0 && (active[tail >> 5] >> (tail & 31) & 1));
    while (which != 0) {
      unsigned rows[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int u = __shfl_sync(0xffffffffu, tail, which != 0 ? __ffs(which) - 1 : 0);
        rows[k] = which != 0 ? front[static_cast<long long>(u) * kWords + lane] : 0;
        which &= which - 1;
      }
      pulled |= rows[0] | rows[1] | rows[2] | rows[3];
    }
    if (__all_sync(0xffffffffu, (pulled | seen) == full)) break;
  }
  return pulled & ~seen;
}

// One level: a warp owns `group` vertices at a time, always the same ones, a lane a word of each.
__device__ __forceinline__ void advance(const Bfs& bfs, int level, unsigned full) {
  const int lane = threadIdx.x & 31, words = (bfs.n + 31) / 32;
  const long long size = static_cast<long long>(bfs.n) * kWords;
  const unsigned *front = bfs.front + ((level + 1) & 1) * size,
                 *active = bfs.active + (level - 1) % 3 * words;
  unsigned *next = bfs.front + (level & 1) * size, *now_active = bfs.active + level % 3 * words,
           *cleared = bfs.active + (level + 1) % 3 * words;
  const int top = 31 - __clz(level);
  const bool opens = (level & (level - 1)) == 0;
  bool found = false;
  for (int word = blockIdx.x * blockDim.x + threadIdx.x; word < words; word += gridDim.x * blockDim.x)
    cleared[word] = 0;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32;
  for (int first = warp * bfs.group; first < bfs.n; first += warps * bfs.group) {
    const int count = min(bfs.group, bfs.n - first);
    const long long begins = bfs.into[first + min(lane, count)];
    for (int k = 0; k < count; ++k) {
      const int v = first + k;
      const long long at = static_cast<long long>(v) * kWords + lane;
      const unsigned seen = bfs.seen[at];
      unsigned fresh = 0;
      if (!__all_sync(0xffffffffu, seen == full))
        fresh = pull(bfs, front, active, __shfl_sync(0xffffffffu, begins, k),
                     __shfl_sync(0xffffffffu, begins, k + 1), seen, full);
      const bool any = __any_sync(0xffffffffu, fresh != 0);
      if (opens) bfs.planes[top * size + at] = fresh;
      if (!any) continue;
      found = true;
      bfs.seen[at] = seen | fresh;
      next[at] = fresh;
      if (lane == 0 && (bfs.closed == nullptr || !bfs.closed[v]))
        atomicOr(now_active + (v >> 5), 1u << (v & 31));
      for (int bits = opens ? 0 : level; bits != 0; bits &= bits - 1)
        bfs.planes[(__ffs(bits) - 1) * size + at] |= fresh;
    }
  }
  if (found && lane == 0) bfs.found[level % 3] = 1;
}

// Before a batch: nobody is anywhere; then each source at itself.
__device__ __forceinline__ void start(const Bfs& bfs, const int* sources, int count, unsigned& target) {
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x,
                  size = static_cast<long long>(bfs.n) * kWords;
  for (long long i = thread; i < size; i += threads) bfs.seen[i] = bfs.front[i] = 0;
  for (long long i = thread; i < 3ll * ((bfs.n + 31) / 32); i += threads) bfs.active[i] = 0;
  if (thread < 3) bfs.found[thread] = 0;
  wait_for_all(bfs.arrived, target);
  for (long long i = thread; i < count; i += threads) {
    const int v = sources[i];
    const long long at = static_cast<long long>(v) * kWords + i / 32;
    atomicOr(bfs.seen + at, 1u << (i & 31));
    atomicOr(bfs.front + at, 1u << (i & 31));
    atomicOr(bfs.active + (v >> 5), 1u << (v & 31));
  }
  wait_for_all(bfs.arrived, target);
}

// A batch: all levels from up to 1,024 sources, into planes.
//
// All blocks own the batch together; what a warp owns is said at each phase. Read: arcs by head, sources
// (count,). Written: seen, planes; *levels, how many levels were looked at. No race: all blocks wait for each
// other between phases; in a phase, rows of seen, front and planes have one writer; marks are set by atomic
// operations.
__global__ void __launch_bounds__(256, 5) bit_bfs(Bfs bfs, const int* sources, int count, int* levels) {
  unsigned target = 0;
  const int mine = count - int(threadIdx.x & 31) * 32;
  const unsigned full = mine >= 32 ? 0xffffffffu : mine > 0 ? (1u << mine) - 1 : 0;
  start(bfs, sources, count, target);
  int level = 1;
  for (; level <= bfs.most_levels; ++level) {
    if (blockIdx.x == 0 && threadIdx.x == 0) bfs.found[(level + 1) % 3] = 0;
    advance(bfs, level, full);
    wait_for_all(bfs.arrived, target);
    if (*static_cast<volatile unsigned*>(bfs.found + level % 3) == 0) break;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *levels = min(level, bfs.most_levels);
}

template <int kPlanes, class Out>
__device__ __forceinline__ void expand(const Bfs& bfs, int planes, int word, int column, int vertex,
                                       int count, Out* dist, long long stride) {
  const long long size = static_cast<long long>(bfs.n) * kWords,
                  at = static_cast<long long>(vertex) * kWords + word;
  unsigned bits[kPlanes];
#pragma unroll
  for (int p = 0; p < kPlanes; ++p) bits[p] = p < planes ? bfs.planes[p * size + at] : 0;
  const unsigned seen = bfs.seen[at];
  Out* out = dist + word * 32 * stride + column;
  for (int b = 0; b < min(32, count - word * 32); ++b) {
    unsigned level = 0;
#pragma unroll
    for (int p = 0; p < kPlanes; ++p) level |= (bits[p] >> b & 1) << p;
    for (int p = kPlanes; p < planes; ++p) level |= (bfs.planes[p * size + at] >> b & 1) << p;
    out[b * stride] = seen >> b & 1 ? Out(level) : Range<Out>::kMost;
  }
}

// dist[i, j] = the level of targets[j] (of j, without targets) from the ith source of the batch.
//
// A block owns 32 columns; a warp owns 32 sources at a time, a lane one of the columns.
// Read: seen, planes, *levels. Written: dist (count, columns). No race: every entry has one writer.
template <class Out>
__global__ void __launch_bounds__(256, 3) expand_levels(Bfs bfs, const int* levels, const int* targets,
                                                        int columns, int count, Out* dist, long long stride) {
  const int column = blockIdx.x * 32 + (threadIdx.x & 31), planes = 32 - __clz(*levels);
  if (column >= columns) return;
  const int vertex = targets == nullptr ? column : targets[column];
  for (int word = threadIdx.x / 32; word * 32 < count; word += blockDim.x / 32) {
    if (planes <= 4)
      expand<4>(bfs, planes, word, column, vertex, count, dist, stride);
    else if (planes <= 8)
      expand<8>(bfs, planes, word, column, vertex, count, dist, stride);
    else  // further planes are looked up again and again
      expand<16>(bfs, planes, word, column, vertex, count, dist, stride);
  }
}

}  // namespace apsp
