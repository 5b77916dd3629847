// Flows along shortest paths in hops (Brandes 2001, section 4) from many sources at once: the whole device
// works on one batch, level by level, without the host. Numbers of paths are pulled from the level before,
// flows from the level after, always in the order of the arcs: every run gives the same bits.
#include "hop_flows.cuh"
#include "row_numbers.cuh"

namespace apsp {

__device__ __forceinline__ void clear_batch(const HopFlows& s) {
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  const long long size = static_cast<long long>(s.n) << s.shift;
  for (long long i = thread; i < size; i += threads) s.reached[i] = 0;
  for (long long i = thread; i < 4 * size; i += threads) s.front[i] = 0;
  if (thread == 0) *s.found = s.ends[0] = 0;
}

// The first level: from the sources themselves, which may be zones.
__device__ __forceinline__ void leave_sources(const HopFlows& s, const int* sources, int count) {
  const Warps warps;
  for (int i = warps.own; i < count; i += warps.all) {
    const int source = sources[i], word = i / 32;
    if (lane_here() == 0) atomicOr(s.reached + s.item(source, word), 1u << (i & 31));
    for (long long group = s.first_start[source]; group < s.first_start[source + 1]; group += 32) {
      const bool has = group + lane_here() < s.first_start[source + 1];
      const int head = has ? s.first_heads[group + lane_here()] : source, item = s.item(head, word);
      const bool leaves = head != source;
      if (leaves) s.paths[static_cast<long long>(item) * 32 + (i & 31)] = 1;
      append(s, leaves && atomicOr(s.front_of(1) + item, 1u << (i & 31)) == 0, item);
    }
  }
}

// Settles the items of a level, and counts the paths to them.
__device__ __forceinline__ void count_level(const HopFlows& s, int level, int begin, int end) {
  const unsigned *now = s.front_of(level), *before = s.front_of(level - 1);
  const Warps warps;
  for (int task = warps.own; level > 1 && task < s.into.part_count << s.shift; task += warps.all) {
    const HubPart part(s, s.into, task);
    const unsigned mask = now[part.item];
    if (mask == 0) continue;
    double sum = paths_over(s, part.first, part.last, s.word(part.item), mask, before);
    if (part.joins(s, s.into, sum) && has_lane(mask)) s.paths[line_at(part.item)] = sum;
  }
  for (OwnItems own(s, s.into, begin, end, now, false); own.has(); own.advance()) {
    const unsigned mask = own.mask;
    if (lane_here() == 0) {
      s.masks[own.i] = mask;
      s.reached[own.item] |= mask;
    }
    if (level == 1 || own.last - own.first > kArcsOfPart) continue;
    const double sum = paths_over(s, own.first, own.last, s.word(own.item), mask, before);
    if (has_lane(mask)) s.paths[line_at(own.item)] = sum;
  }
}

// Finds the items of the next level, and clears the front of the level before.
__device__ __forceinline__ void push_level(const HopFlows& s, int level, int before, int begin, int end) {
  const unsigned* now = s.front_of(level);
  unsigned *next = s.front_of(level + 1), *old = s.front_of(level - 1);
  const Warps warps;
  for (int task = warps.own; task < s.out.part_count << s.shift; task += warps.all) {
    const HubPart part(s, s.out, task);
    const unsigned mask = now[part.item];
    if (mask != 0) push(s, part.first, part.last, s.word(part.item), mask, next);
  }
  const bool is_long = (end - begin) / 32 >= warps.all / 4;  // a lane per item keeps enough warps busy
  const int group = is_long ? 32 : 1;
  for (int base = begin + warps.own * group; base < end; base += warps.all * group) {
    const int i = base + lane_here();
    const bool has = lane_here() < group && i < end;
    const int item = has ? s.items[i] : 0, word = s.word(item);
    const unsigned mask = has ? s.masks[i] : 0;
    const long long first = has ? s.out.start[s.vertex(item)] : 0;
    const long long arcs = has ? s.out.start[s.vertex(item) + 1] - first : 0;
    const int degree = arcs > kArcsOfPart ? 0 : static_cast<int>(arcs);
    const bool alone = is_long && degree <= kFewArcs;
    push_few(s, first, alone ? degree : 0, word, mask, next);
    unsigned together = __ballot_sync(0xffffffffu, !alone && degree > 0);
    for (; together != 0; together &= together - 1) {
      const int from = __ffs(together) - 1;
      const long long begins = __shfl_sync(0xffffffffu, first, from);
      const int count = __shfl_sync(0xffffffffu, degree, from);
      const int theirs = __shfl_sync(0xffffffffu, word, from);
      push(s, begins, begins + count, theirs, __shfl_sync(0xffffffffu, mask, from), next);
    }
  }
  for (int i = before + blockIdx.x * blockDim.x + threadIdx.x; i < begin; i += gridDim.x * blockDim.x)
    old[s.items[i]] = 0;
}

// The levels of a batch, from up to 32 << shift sources, and the numbers of shortest paths.
//
// All blocks own the batch together; a warp owns an item, a part of a hub or a source at a time. Read: arcs,
// sources (count,). Written: items, masks, ends, *levels, reached, front, paths. No race: all blocks wait for
// each other between phases; in a phase an item has one owner, and marks are set by atomic operations. The
// order of the items varies, what is stored for them does not.
__global__ void __launch_bounds__(256, 4) hop_forward(HopFlows s, const int* sources, int count) {
  unsigned target = 0;
  clear_batch(s);
  wait_for_all(s.arrived, target);
  leave_sources(s, sources, count);
  wait_for_all(s.arrived, target);
  int level = 1, before = 0, begin = 0;
  for (;; ++level) {
    const int end = *static_cast<volatile int*>(s.found);
    if (end == begin) break;
    if (blockIdx.x == 0 && threadIdx.x == 0) s.ends[level] = end;
    count_level(s, level, begin, end);
    wait_for_all(s.arrived, target);
    if (level < s.most_levels) push_level(s, level, before, begin, end);
    wait_for_all(s.arrived, target);
    before = begin;
    begin = end;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *s.levels = level - 1;
}

// The flows of a batch, from its last level to its first.
//
// As hop_forward. Read: what that wrote, and the demand. Written: shares, through, along; *beyond, the
// smallest number of a source with a number of paths that is not finite. The fronts of the level and of the
// next are read, that of the level before is written, and that of the second next cleared.
template <bool kAlong>
__global__ void __launch_bounds__(256, 4) hop_backward(HopFlows s) {
  unsigned target = 0;
  const Warps warps;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const int levels = *s.levels;
  for (int level = levels; level > 0; --level) {
    const int begin = s.ends[level - 1], end = s.ends[level];
    const unsigned *now = s.front_of(level), *next = s.front_of(level + 1);
    for (int task = warps.own; task < s.out.part_count << s.shift; task += warps.all) {
      const HubPart part(s, s.out, task);
      const unsigned mask = now[part.item];
      if (mask == 0) continue;
      const double paths = has_lane(mask) ? s.paths[line_at(part.item)] : 0.0;
      double sum = level == levels
                       ? 0.0
                       : shares_over<kAlong>(s, part.first, part.last, s.word(part.item), mask, next, paths);
      if (part.joins(s, s.out, sum)) settle(s, part.item, mask, sum, paths);
    }
    for (OwnItems own(s, s.out, begin, end, s.masks, true); own.has(); own.advance()) {
      if (own.last - own.first > kArcsOfPart) continue;
      const double paths = has_lane(own.mask) ? s.paths[line_at(own.item)] : 0.0;
      const double sum = level == levels ? 0.0
                                         : shares_over<kAlong>(s, own.first, own.last, s.word(own.item),
                                                               own.mask, next, paths);
      settle(s, own.item, own.mask, sum, paths);
    }
    if (level > 1)
      for (int i = s.ends[level - 2] + thread; i < begin; i += threads)
        s.front_of(level - 1)[s.items[i]] = s.masks[i];
    if (level + 2 <= levels)
      for (int i = s.ends[level + 1] + thread; i < s.ends[level + 2]; i += threads)
        s.front_of(level + 2)[s.items[i]] = 0;
    wait_for_all(s.arrived, target);
  }
}

// Adds what the batch has added up over words: total (n,) with Neumaier's compensation (1974), and to counts
// (n,) the number of sources that have reached each vertex, or begin there.
//
// A thread owns a vertex. Read: reached. Read and cleared: through. No race.
__global__ void hop_add_vertices(HopFlows s, double* total, double* error, long long* counts) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= s.n) return;
  double sum = 0;
  long long count = 0;
  for (int word = 0; word < 1 << s.shift; ++word) {
    const long long item = static_cast<long long>(v) << s.shift | word;
    sum += s.through[item];
    s.through[item] = 0;
    count += __popc(s.reached[item]);
  }
  double most = total[v], lost = error[v];
  add_compensated(most, lost, sum);
  total[v] = most;
  error[v] = lost;
  counts[v] += count;
}

// The same of arcs: total (m,), of which arc k of the batch has number numbers[k].
//
// A thread owns an arc. Read and cleared: along. No race: the numbers differ.
__global__ void hop_add_arcs(HopFlows s, const long long* numbers, long long count, double* total,
                             double* error) {
  const long long arc = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (arc >= count) return;
  double sum = 0;
  for (int word = 0; word < 1 << s.shift; ++word) {
    sum += s.along[arc << s.shift | word];
    s.along[arc << s.shift | word] = 0;
  }
  double most = total[numbers[arc]], lost = error[numbers[arc]];
  add_compensated(most, lost, sum);
  total[numbers[arc]] = most;
  error[numbers[arc]] = lost;
}

// Adds the flows along the arcs that leave the sources (count,), of which equal ones are adjacent.
//
// A warp owns the arcs of a source, also if it occurs several times. Read: shares. Written: total, error
// (m,). No race: sources differ.
__global__ void hop_leave(HopFlows s, const int* sources, int count, double* total, double* error) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= count || (i > 0 && sources[i - 1] == sources[i])) return;
  const int source = sources[i];
  for (long long arc = s.first_start[source] + lane_here(); arc < s.first_start[source + 1]; arc += 32) {
    const int head = s.first_heads[arc];
    if (head == source) continue;
    double sum = total[arc], lost = error[arc];
    for (int k = i; k < count && sources[k] == source; ++k)
      add_compensated(sum, lost, s.shares[static_cast<long long>(s.item(head, k / 32)) * 32 + (k & 31)]);
    total[arc] = sum;
    error[arc] = lost;
  }
}

// served[chunk, i] = the demand `to` from source i to the vertices of a chunk that it has reached.
//
// A block owns a word of sources and a chunk of vertices, a lane one of the sources. Read: reached, to.
// Written: served (chunks, 32 << shift). No race: parts are joined in shared memory, in the order of the
// warps.
__global__ void __launch_bounds__(256)
    hop_served(HopFlows s, const int* sources, int count, int chunk, double* served) {
  __shared__ double parts[8][32];
  const int word = blockIdx.x, i = word * 32 + lane_here(), source = i < count ? sources[i] : -1;
  const int last = min((static_cast<int>(blockIdx.y) + 1) * chunk, s.n);
  double sum = 0;
  for (int v = blockIdx.y * chunk + threadIdx.x / 32; v < last; v += 8)
    if (has_lane(s.reached[s.item(v, word)]) && v != source) sum += s.to[v];
  parts[threadIdx.x / 32][lane_here()] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (int part = 1; part < 8; ++part) sum += parts[part][lane_here()];
  served[(static_cast<long long>(blockIdx.y) << s.shift) * 32 + i] = sum;
}

// Writes the demand of a batch, entry k from its source rows[k] to targets[k], or 0 in its place.
//
// A thread owns an entry. Written: the lines of `demand`. No race: the targets of a source differ.
__global__ void hop_demand(HopFlows s, const int* rows, const int* targets, const double* values,
                           long long count, int writes, double* demand) {
  const long long k = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const int item = s.item(targets[k], rows[k] / 32);
  demand[static_cast<long long>(item) * 32 + (rows[k] & 31)] = writes ? values[k] : 0.0;
}

// there[k] = whether source rows[k] of the batch has reached targets[k], another vertex.
//
// A thread owns an entry. Read: reached. Written: there (count,). No race.
__global__ void hop_reached(HopFlows s, const int* sources, const int* rows, const int* targets,
                            long long count, bool* there) {
  const long long k = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const int row = rows[k];
  there[k] = (s.reached[s.item(targets[k], row / 32)] >> (row & 31) & 1) != 0 && targets[k] != sources[row];
}

}  // namespace apsp
