// Flows in hops from many sources at once, 32 to a word, a lane per source: the data of a batch, and what a
// warp does with one item, which is a vertex and a word of sources.
#pragma once
#include "all_blocks.cuh"
#include "semiring.cuh"

namespace apsp {

constexpr int kFewArcs = 16;      // up to so many, a lane follows the arcs of an item by itself
constexpr int kArcsOfPart = 128;  // a vertex with more arcs is a hub: its arcs are divided into parts

// Arcs in one direction, without self-loops and those that leave zones.
struct HopArcs {
  const long long* start;       // (n + 1,)
  const int* ends;              // (m,): heads or tails
  const int *hubs, *part_ends;  // (hubs,): the vertices, and where the parts of each end
  const int* parts;             // (parts,): the hub of each
  int part_count, unused;
};

// Lines of an item are 32 values, one per source. Item v << shift | w is word w of vertex v.
//
//   front     4 x (items)  sources whose level l has the vertex, in array l % 4; zero elsewhere
//   reached   (items)      sources that have reached the vertex, or begin there
//   items     (all)        the items of level 1, of level 2, ...; `masks` are their sources
//   ends      (levels + 1) where the items of each level end; ends[0] is 0
//   through   (items)      flow that passes, added up over the sources of the word and over batches
//   along     (arcs, words) the same of arcs by tail, or null
//   partial, arrivals      (parts, words, 32) and (hubs, words): results of parts, and number of finished
//   parts; 0 between levels
struct HopFlows {
  HopArcs out, into;
  const long long* first_start;  // (n + 1,): all arcs by tail, which begin the paths from a source
  const int* first_heads;
  unsigned *front, *reached, *masks, *arrivals, *arrived;
  int *items, *ends, *found, *levels, *beyond;
  double *paths, *shares, *partial, *through, *along;
  const double *to, *demand;  // (n,) demand to each vertex, or null: lines
  int n, shift, most_levels, unused;

  __device__ __forceinline__ unsigned* front_of(int level) const {
    return front + (level & 3) * (static_cast<long long>(n) << shift);
  }
  __device__ __forceinline__ int vertex(int item) const { return item >> shift; }
  __device__ __forceinline__ int word(int item) const { return item & ((1 << shift) - 1); }
  __device__ __forceinline__ int item(int v, int word) const { return v << shift | word; }
};

__device__ __forceinline__ int lane_here() { return threadIdx.x & 31; }
__device__ __forceinline__ long long line_at(long long number) { return number * 32 + lane_here(); }
__device__ __forceinline__ bool has_lane(unsigned mask) { return mask >> lane_here() & 1; }

// The same sum in every lane, in the same order each time.
__device__ __forceinline__ double over_warp(double value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

// The warps of all blocks, as a row.
struct Warps {
  int own, all;
  __device__ __forceinline__ Warps()
      : own((blockIdx.x * blockDim.x + threadIdx.x) / 32), all(gridDim.x * blockDim.x / 32) {}
};

// The items [begin, end) of a level that a warp owns, one after another. What the next ones need is read
// while one is worked on: it would be waited for otherwise.
struct OwnItems {
  const HopFlows& s;
  const HopArcs& arcs;
  const unsigned* masks;  // of items, or if `in_order` in the order of the list
  const bool in_order;
  const int end, step;
  int i, item, after;
  unsigned mask, next_mask;
  long long first, last, next_first, next_last;

  __device__ __forceinline__ OwnItems(const HopFlows& s, const HopArcs& arcs, int begin, int end,
                                      const unsigned* masks, bool in_order)
      : s(s), arcs(arcs), masks(masks), in_order(in_order), end(end), step(Warps().all) {
    i = begin + Warps().own;
    item = item_at(i);
    after = item_at(i + step);
    read(i, item);
    accept();
    look_ahead();
  }
  __device__ __forceinline__ bool has() const { return i < end; }
  __device__ __forceinline__ void advance() {
    i += step;
    item = after;
    accept();
    after = next_after;
    look_ahead();
  }

 private:
  int next_after;

  __device__ __forceinline__ int item_at(int at) const { return at < end ? s.items[at] : 0; }
  __device__ __forceinline__ void read(int at, int of) {
    next_mask = masks[in_order ? min(at, end - 1) : of];
    next_first = arcs.start[s.vertex(of)];
    next_last = arcs.start[s.vertex(of) + 1];
  }
  __device__ __forceinline__ void accept() {
    mask = next_mask;
    first = next_first;
    last = next_last;
  }
  __device__ __forceinline__ void look_ahead() {
    next_after = item_at(i + 2 * step);
    read(i + step, after);
  }
};

// A part of the arcs of a hub, and the word that a warp works on.
struct HubPart {
  int number, hub, item;
  long long first, last;

  __device__ __forceinline__ HubPart(const HopFlows& s, const HopArcs& arcs, int task)
      : number(task >> s.shift), hub(arcs.parts[number]) {
    const int v = arcs.hubs[hub];
    item = s.item(v, s.word(task));
    first = arcs.start[v] + static_cast<long long>(number - begin(arcs)) * kArcsOfPart;
    last = min(first + kArcsOfPart, arcs.start[v + 1]);
  }
  __device__ __forceinline__ int begin(const HopArcs& arcs) const {
    return hub == 0 ? 0 : arcs.part_ends[hub - 1];
  }

  // Whether this is the last part to finish: then `sum` becomes that of all parts, in their order.
  __device__ __forceinline__ bool joins(const HopFlows& s, const HopArcs& arcs, double& sum) const {
    const int word = s.word(item), from = begin(arcs), to = arcs.part_ends[hub];
    s.partial[line_at(static_cast<long long>(number) << s.shift | word)] = sum;
    __threadfence();
    __syncwarp();
    unsigned* arrivals = s.arrivals + (static_cast<long long>(hub) << s.shift | word);
    unsigned before = 0;
    if (lane_here() == 0) before = atomicAdd(arrivals, 1u);
    if (__shfl_sync(0xffffffffu, before, 0) + 1 != unsigned(to - from)) return false;
    __threadfence();
    sum = 0;
    for (int part = from; part < to; ++part)
      sum += __ldcg(s.partial + line_at(static_cast<long long>(part) << s.shift | word));
    if (lane_here() == 0) *arrivals = 0;
    return true;
  }
};

// Calls act(place, value) for the arcs [first, last) whose other end is in the front for sources of the mask,
// in their order: their places from `group` on, and the lane's value there (0 if it has none); after each
// group of up to 32 arcs, close(group).
template <class Act, class Close>
__device__ __forceinline__ void follow(const HopFlows& s, const HopArcs& arcs, long long first,
                                       long long last, int word, unsigned mask, const unsigned* front,
                                       const double* lines, Act&& act, Close&& close) {
  for (long long group = first; group < last; group += 32) {
    const bool has = group + lane_here() < last;
    const int other = has ? s.item(arcs.ends[group + lane_here()], word) : 0;
    const unsigned bits = has ? front[other] & mask : 0;
    unsigned which = __ballot_sync(0xffffffffu, bits != 0);
    while (which != 0) {
      double values[4];
      int places[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        places[k] = which != 0 ? __ffs(which) - 1 : -1;
        const int from = places[k] & 31;
        const int item = __shfl_sync(0xffffffffu, other, from);
        const unsigned theirs = __shfl_sync(0xffffffffu, bits, from);
        values[k] = which != 0 && has_lane(theirs) ? lines[line_at(item)] : 0.0;
        which &= which - 1;
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) act(places[k], values[k]);
    }
    close(group, last);
  }
}

// The number of paths over these arcs from the front.
__device__ __forceinline__ double paths_over(const HopFlows& s, long long first, long long last, int word,
                                             unsigned mask, const unsigned* front) {
  double sum = 0;
  follow(
      s, s.into, first, last, word, mask, front, s.paths, [&](int, double value) { sum += value; },
      [](long long, long long) {});
  return sum;
}

// What leads on over these arcs to the front, per path to the vertex; `paths` of the lane is their number.
template <bool kAlong>
__device__ __forceinline__ double shares_over(const HopFlows& s, long long first, long long last, int word,
                                              unsigned mask, const unsigned* front, double paths) {
  double sum = 0, flow = 0;
  follow(
      s, s.out, first, last, word, mask, front, s.shares,
      [&](int place, double value) {
        sum += value;
        if constexpr (kAlong) {
          if (place < 0) return;
          const double total = over_warp(value != 0 ? value * paths : 0.0);
          if (lane_here() == place) flow = total;
        }
      },
      [&](long long group, long long end) {
        if constexpr (kAlong) {
          if (flow != 0 && group + lane_here() < end)
            s.along[(group + lane_here()) << s.shift | word] += flow;
          flow = 0;
        }
      });
  return sum;
}

// Stores what passes an item, and what each path to it carries.
__device__ __forceinline__ void settle(const HopFlows& s, int item, unsigned mask, double sum, double paths) {
  double passes = 0;
  if (has_lane(mask)) {
    const double ends = s.to != nullptr ? s.to[s.vertex(item)] : s.demand[line_at(item)];
    s.shares[line_at(item)] = sum + ends / paths;
    passes = sum * paths;
    if (!(paths < Range<double>::kMost)) atomicMin(s.beyond, s.word(item) * 32 + lane_here());
  }
  passes = over_warp(passes);
  if (lane_here() == 0 && passes != 0) s.through[item] += passes;
}

// Appends the items of the lanes that have a fresh one.
__device__ __forceinline__ void append(const HopFlows& s, bool fresh, int item) {
  const unsigned which = __ballot_sync(0xffffffffu, fresh);
  if (which == 0) return;
  int at = 0;
  if (lane_here() == 0) at = atomicAdd(s.found, __popc(which));
  at = __shfl_sync(0xffffffffu, at, 0);
  if (fresh) s.items[at + __popc(which & ((1u << lane_here()) - 1))] = item;
}

// Marks what the arcs of the lanes' items reach for the first time.
__device__ __forceinline__ void push_few(const HopFlows& s, long long first, int degree, int word,
                                         unsigned mask, unsigned* next) {
  for (int k = 0; __any_sync(0xffffffffu, k < degree); ++k) {
    const int other = k < degree ? s.item(s.out.ends[first + k], word) : 0;
    const unsigned bits = k < degree ? mask & ~s.reached[other] : 0;
    append(s, bits != 0 && atomicOr(next + other, bits) == 0, other);
  }
}

// Marks what these arcs reach for the first time.
__device__ __forceinline__ void push(const HopFlows& s, long long first, long long last, int word,
                                     unsigned mask, unsigned* next) {
  for (long long group = first; group < last; group += 32) {
    const bool has = group + lane_here() < last;
    const int other = has ? s.item(s.out.ends[group + lane_here()], word) : 0;
    const unsigned bits = has ? mask & ~s.reached[other] : 0;
    append(s, bits != 0 && atomicOr(next + other, bits) == 0, other);
  }
}

}  // namespace apsp
