// The search from one source, by a block of threads: near-far lists (Davidson, Baxter, Garland, Owens 2014,
// section 4). Labels below a threshold are processed in rounds; when none are left, the threshold is raised
// by a bucket.
#pragma once
#include "labels.cuh"

namespace apsp {

// The graph and the parameters of a search.
template <class Kind, class Arc>
struct Search {
  const Arc* records;
  const Arc* rest;
  const bool* closed;
  int n, head_bits, capacity, most_rounds;
  typename Kind::Length delta, least;  // the width of a bucket; a lower bound of all distances
  typename Kind::Order reach;          // the code of the cutoff
  bool fifo;                           // one bucket for all
};

constexpr int kShare = 2;  // lanes that share a record
constexpr int kHubs = 64, kHubArcs = 512;

// Data shared by the threads of a block, besides labels, marks and lists.
template <class Order>
struct Common {
  unsigned counts[3];
  unsigned hubs;
  int row;
  bool too_long;
  Order least;
  int hub_links[kHubs];
  Order hub_codes[kHubs];
};

// The search from a source, as used by a thread of its block.
template <class Kind, class Arc, bool kShared>
struct Block {
  using Code = typename Kind::Code;
  using Order = typename Kind::Order;
  using Length = typename Kind::Length;
  static constexpr int kUnits = kRecord / kShare, kVectors = kUnits * sizeof(Arc) / sizeof(uint4);
  const Search<Kind, Arc>& search;
  Common<Order>& common;
  Code* labels;
  unsigned* pending;
  unsigned* list;    // the list of this round
  unsigned* target;  // the list of the next round
  unsigned* count;
  Order threshold, reach;
  bool endless = false, has_left = false;

  __device__ __forceinline__ Order label(int v) const {
    if constexpr (kShared)
      return *const_cast<const volatile Code*>(labels + v);
    else
      return __ldcg(labels + v);  // atomic operations bypass the first-level cache
  }
  __device__ __forceinline__ Order through(Length from, const Arc& arc) const {
    return Kind::code(exact_sum(from, arc.template weight<Length>(search.head_bits)));
  }
  __device__ __forceinline__ void push(unsigned* onto, int v) const {
    const unsigned at = atomicAdd(count, 1u);
    if (at < unsigned(search.capacity)) onto[at] = v;
  }

  // A vertex is pending from when its label is lowered until it is taken from the list. It is listed as soon
  // as its label is below the threshold: by the thread that lowers it below, or that marks it.
  __device__ __forceinline__ void improve(int head, Order code) {
    const Order old = Kind::lower(labels, head, code);
    if (old <= code || code > reach) return;
    if constexpr (Kind::kSigned) endless = endless || Kind::length(code) < search.least;
    if (search.closed != nullptr && search.closed[head]) return;
    const unsigned bit = 1u << (head & 31), before = atomicOr(pending + (head >> 5), bit);
    if (code < threshold && (old >= threshold || !(before & bit))) push(target, head);
  }
  // Whether the arc improves its head; sums beyond the range are recorded.
  __device__ __forceinline__ bool improves(int head, Order code) {
    const Order now = label(head);
    if constexpr (!Kind::kSigned)
      if (code >= Kind::kNone && now == Kind::kNone) common.too_long = true;
    return code < now;
  }

  // The arcs of a record: `part` is the number of this lane among those that share it. Returns the link to
  // further arcs.
  __device__ __forceinline__ int relax_record(int v, int part, Length from) {
    const Arc* record = search.records + static_cast<long long>(v) * kRecord + part * kUnits;
    uint4 raw[kVectors];
#pragma unroll
    for (int k = 0; k < kVectors; ++k) raw[k] = __ldg(reinterpret_cast<const uint4*>(record) + k);
    const Arc* arcs = reinterpret_cast<const Arc*>(raw);
    unsigned better = 0;
#pragma unroll
    for (int j = 0; j < kUnits; ++j)
      if ((j > 0 || part > 0) && improves(arcs[j].head(search.head_bits), through(from, arcs[j])))
        better |= 1u << j;
    const int link = part == 0 ? arcs[0].number() : 0;
    for (; better != 0; better &= better - 1) {
      const Arc arc = record[__ffs(better) - 1];  // through the first-level cache
      improve(arc.head(search.head_bits), through(from, arc));
    }
    return link;
  }
  // Further arcs: a thread takes every `step`th.
  __device__ __forceinline__ void relax_rest(int link, Length from, int first, int step) {
    const int degree = search.rest[link].number();
    for (int i = first; i < degree; i += step) {
      const Arc arc = search.rest[link + 1 + i];
      const Order code = through(from, arc);
      const int head = arc.head(search.head_bits);
      if (improves(head, code)) improve(head, code);
    }
  }
  // Whether the vertex is left for the whole block. All lanes of a warp call this together.
  __device__ __forceinline__ bool leave_to_all(int link, Order code) {
    if (search.rest[link].number() < kHubArcs) return false;
    unsigned at = 0;
    if ((threadIdx.x & 31) == 0) at = atomicAdd(&common.hubs, 1u);
    at = __shfl_sync(0xffffffffu, at, 0);
    if (at >= kHubs) return false;
    common.hub_links[at] = link;
    common.hub_codes[at] = code;
    has_left = true;
    return true;
  }

  // A round: all vertices on the list. A few lanes share a vertex; the warp processes further arcs.
  __device__ __forceinline__ void relax_list(unsigned have) {
    const int lane = threadIdx.x & 31, part = lane % kShare;
    for (unsigned base = threadIdx.x / 32 * (32 / kShare); base < have; base += blockDim.x / kShare) {
      const unsigned item = base + lane / kShare;
      int v = 0, link = 0;
      unsigned marks = 0;
      if (item < have) {
        v = list[item];
        if (part == 0) marks = atomicAnd(pending + (v >> 5), ~(1u << (v & 31)));
      }
      marks = __shfl_sync(0xffffffffu, marks, lane - part);
      const bool taken = marks >> (v & 31) & 1;
      const Order code = taken ? label(v) : Order(0);
      if (taken) link = relax_record(v, part, Kind::length(code));
      for (unsigned more = __ballot_sync(0xffffffffu, link != 0); more != 0; more &= more - 1) {
        const int which = __ffs(more) - 1, its_link = __shfl_sync(0xffffffffu, link, which);
        const Order its_code = __shfl_sync(0xffffffffu, code, which);
        if (!leave_to_all(its_link, its_code)) relax_rest(its_link, Kind::length(its_code), lane, 32);
      }
    }
  }
  // The vertices that a round has left for the whole block. Only after a round that has left some: a thread
  // that read their number after another round could already see those of the next one.
  __device__ __forceinline__ void relax_hubs() {
    const unsigned hubs = min(common.hubs, unsigned(kHubs));
    for (unsigned i = 0; i < hubs; ++i)
      relax_rest(common.hub_links[i], Kind::length(common.hub_codes[i]), threadIdx.x, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) common.hubs = 0;
    has_left = false;
    __syncthreads();
  }
  // Lists all pending vertices below the threshold; common.least is the smallest label above.
  __device__ __forceinline__ void collect() {
    Order least = Kind::kNone;
    for (int word = threadIdx.x; word < (search.n + 31) / 32; word += blockDim.x)
      for (unsigned bits = pending[word]; bits != 0; bits &= bits - 1) {
        const int v = word * 32 + __ffs(bits) - 1;
        const Order code = label(v);
        if (code < threshold)
          push(list, v);
        else
          least = min(least, code);
      }
    if (least < Kind::kNone) atomicMin(&common.least, least);
  }
  // Whether any vertex is pending; if so, the list is filled. `have` is the previous length of the list:
  // zero, or too large.
  __device__ __forceinline__ bool refill(unsigned have) {
    if (have == 0) {
      if (threshold >= Kind::kNone) return false;
      threshold = Kind::code(Kind::length(threshold) + search.delta);
    }
    for (;;) {
      __syncthreads();
      if (threadIdx.x == 0) {
        *count = 0;
        common.least = Kind::kNone;
      }
      __syncthreads();
      collect();
      __syncthreads();
      if (*count != 0) return true;
      if (common.least >= Kind::kNone) return false;
      threshold = max(Kind::code(Kind::length(common.least) + search.delta), common.least + 1);
    }
  }
  // Runs until no vertex is pending. The first list holds the source.
  __device__ __forceinline__ void run(unsigned* lists) {
    for (int round = 0; round < search.most_rounds; ++round) {
      unsigned *now = common.counts + round % 3, *later = common.counts + (round + 1) % 3;
      list = lists + (round & 1) * search.capacity;
      target = lists + (~round & 1) * search.capacity;
      count = now;
      unsigned have = *now;
      if (have == 0 || have > unsigned(search.capacity)) {
        if (!refill(have)) return;
        have = *now;
      }
      count = later;
      if (have > unsigned(search.capacity)) {  // the next round has to find the vertices that were not listed
        have = search.capacity;
        if (threadIdx.x == 0) *later = search.capacity + 1;
        __syncthreads();
      }
      if (threadIdx.x == 0) common.counts[(round + 2) % 3] = 0;
      relax_list(have);
      if (__syncthreads_or(endless || has_left)) {
        if (__syncthreads_or(endless)) break;
        relax_hubs();
      }
    }
    endless = true;
  }
};

}  // namespace apsp
