// Breadth-first search from 1,024 sources at once, one bit per source (Then et al. 2014, section 3; pulling
// as in Beamer, Asanovic, Patterson 2012): the whole device works on one batch, level by level, without the
// host.
#include "bit_levels.cuh"

namespace apsp {

// A warp owns parts of hubs, and `group` vertices at a time.
__device__ __forceinline__ void advance(const Bfs& bfs, int level, unsigned full) {
  const int words = (bfs.n + 31) / 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  Level now(bfs, level, full);
  for (int word = blockIdx.x * blockDim.x + threadIdx.x; word < words; word += gridDim.x * blockDim.x)
    bfs.active[(level + 1) % 3 * words + word] = 0;
  for (int part = warp; part < bfs.part_count; part += warps) now.look_at_part(part);
  for (int first = warp * bfs.group; first < bfs.n; first += warps * bfs.group)
    now.look_at_group(first, min(bfs.group, bfs.n - first));
  if (now.found && now.lane == 0) bfs.found[level % 3] = 1;
}

// Before a batch: clears all bits; then sets the bit of each source at its vertex.
__device__ __forceinline__ void start(const Bfs& bfs, const int* sources, int count, unsigned& target) {
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x,
                  size = static_cast<long long>(bfs.n) * kWords;
  for (long long i = thread; i < size; i += threads) bfs.seen[i] = bfs.front[i] = 0;
  const int words = (bfs.n + 31) / 32;
  for (long long i = thread; i < 3ll * words; i += threads) bfs.active[i] = 0;
  for (long long i = thread; i < words; i += threads) bfs.done[i] = 0;
  for (long long i = thread; i < static_cast<long long>(bfs.hub_count) * kWords; i += threads)
    bfs.pulled[i] = 0;
  for (long long i = thread; i < bfs.hub_count; i += threads) bfs.arrivals[i] = 0;
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
// All blocks own the batch together; each phase documents what a warp owns. Read: arcs by head, sources
// (count,). Written: seen, planes; *levels, the number of levels that were examined. No race: all blocks wait
// for each other between phases; in a phase, rows of seen, front and planes have one writer; marks are set by
// atomic operations.
__global__ void __launch_bounds__(512, 2) bit_bfs(Bfs bfs, const int* sources, int count, int* levels) {
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

// dist[i, j] = the level of targets[j] (of j, without targets) from the i-th source of the batch.
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
    else  // further planes are read from memory each time
      expand<16>(bfs, planes, word, column, vertex, count, dist, stride);
  }
}

}  // namespace apsp
