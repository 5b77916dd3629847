// The vertices within a cutoff of many sources: a block per source, with a table in shared memory of the
// vertices that its search has met (label correcting with a threshold: Davidson, Baxter, Garland, Owens 2014,
// section 4).
#include "dynamic_shared.cuh"
#include "labels.cuh"
#include "weighing.cuh"

namespace apsp {

constexpr int kNearThreads = 128, kLanesOfRecord = 4, kFree = -1, kNoHop = 2147483647;

// The graph and the request. Arcs longer than the cutoff are not in the records.
template <class Kind, class Arc>
struct NearSearch {
  const Arc* records;
  const Arc* rest;
  const bool* closed;           // vertices that no path passes through, or null
  const bool* is_target;        // or null: all are
  int capacity, k;              // slots of a table, a power of two; most pairs of a source
  typename Kind::Length delta;  // labels up to the least one and this are processed in a round
  typename Kind::Order reach;   // the code of the cutoff
  bool own, hops, by_target;    // a source may be its own target; find next hops; rows are sorted by target
};

// Where pairs go: those of row r are from r * pitch on, counts[r] of them, or kTableFull.
template <class Out>
struct NearFound {
  int* targets;
  Out* distances;
  int* hops;
  int* counts;
  long long pitch;
};
constexpr int kTableFull = -1;

template <class Order>
struct NearCommon {
  unsigned listed[3];
  Order least[3];
  unsigned met;
  int row;
  unsigned count;
};

// The search of a block, as used by one of its threads, and its table in shared memory.
//
// A slot of the table holds a vertex, its label and its next hop. A slot is pending from when its label is
// lowered until a round processes it, and is then on one list at most once.
template <class Kind, class Arc>
struct NearBlock {
  using Code = typename Kind::Code;
  using Order = typename Kind::Order;
  using Length = typename Kind::Length;
  static constexpr int kUnits = kRecord / kLanesOfRecord, kVectors = kUnits * sizeof(Arc) / sizeof(uint4);
  static_assert(kVectors > 0);
  const NearSearch<Kind, Arc>& search;
  NearCommon<Order>& common;
  Code* labels;
  int* vertices;
  unsigned* pending;
  unsigned short* lists;
  int* hops;
  unsigned short* target;  // the list of the next round
  unsigned* listed;        // its length
  int source;
  Order least;  // of the labels on it, as far as this thread has listed them
  bool full;    // the table

  __device__ __forceinline__ NearBlock(const NearSearch<Kind, Arc>& search, NearCommon<Order>& common,
                                       void* shared)
      : search(search), common(common), labels(static_cast<Code*>(shared)) {
    vertices = reinterpret_cast<int*>(labels + search.capacity);
    pending = reinterpret_cast<unsigned*>(vertices + search.capacity);
    lists = reinterpret_cast<unsigned short*>(pending + search.capacity / 32);
    hops = reinterpret_cast<int*>(lists + 2 * search.capacity);
  }
  __device__ __forceinline__ void clear() {
    full = false;
    for (int slot = threadIdx.x; slot < search.capacity; slot += blockDim.x) {
      labels[slot] = Kind::kNone;
      vertices[slot] = kFree;
      if (search.hops) hops[slot] = kNoHop;
    }
    for (int word = threadIdx.x; word < search.capacity / 32; word += blockDim.x) pending[word] = 0;
  }

  __device__ __forceinline__ Order label(int slot) const {
    return *const_cast<const volatile Code*>(labels + slot);
  }
  __device__ __forceinline__ bool is_full() const {
    return *const_cast<volatile unsigned*>(&common.met) > unsigned(search.capacity - search.capacity / 4);
  }
  __device__ __forceinline__ int first_slot(int vertex) const {
    return (unsigned(vertex) * 2654435769u) >> (__clz(search.capacity) + 1);
  }
  // The slot of a vertex, which is put into the table if need be; kFree if the table is full.
  __device__ __forceinline__ int slot_of(int vertex) {
    for (int slot = first_slot(vertex);; slot = (slot + 1) & (search.capacity - 1)) {
      int there = *const_cast<volatile int*>(vertices + slot);
      if (there == kFree) {
        if (is_full()) {
          full = true;
          return kFree;
        }
        there = atomicCAS(vertices + slot, kFree, vertex);
        if (there == kFree) {
          atomicAdd(&common.met, 1u);
          return slot;
        }
      }
      if (there == vertex) return slot;
    }
  }
  __device__ __forceinline__ void list(int slot, Order code) {
    target[atomicAdd(listed, 1u)] = static_cast<unsigned short>(slot);
    least = min(least, code);
  }
  __device__ __forceinline__ void mark(int slot, int vertex, Order code) {
    if (search.closed != nullptr && search.closed[vertex]) return;
    const unsigned bit = 1u << (slot & 31);
    if (!(atomicOr(pending + (slot >> 5), bit) & bit)) list(slot, code);
  }

  // What an arc of `slot` does: it lowers the label of its head, or, once labels are final and the arc is the
  // last of a shortest path, its next hop.
  template <bool kHops>
  __device__ __forceinline__ void relax(const Arc& arc, int tail, Length from, int hop) {
    const int head = arc.head(0);
    if (head == tail) return;
    const Order code = Kind::code(exact_sum(from, arc.template weight<Length>(0)));
    if (code > search.reach) return;
    const int slot = slot_of(head);
    if (slot == kFree) return;
    if constexpr (kHops) {
      if (head == source || label(slot) != code) return;
      const int next = tail == source ? head : hop;
      if (atomicMin(hops + slot, next) > next) mark(slot, head, 0);
    } else {
      if (label(slot) > code && Kind::lower(labels, slot, code) > code) mark(slot, head, code);
    }
  }

  // A round: the slots of a list whose labels are below the threshold; others stay for the next one. A few
  // lanes share a record; the warp processes further arcs.
  template <bool kHops>
  __device__ __forceinline__ void relax_list(const unsigned short* now, unsigned have, Order threshold) {
    const int lane = threadIdx.x & 31, part = lane % kLanesOfRecord;
    for (unsigned base = threadIdx.x / 32 * (32 / kLanesOfRecord); base < have;
         base += blockDim.x / kLanesOfRecord) {
      const unsigned item = base + lane / kLanesOfRecord;
      int slot = kFree, vertex = 0, hop = 0, link = 0;
      if (item < have && part == 0) {
        slot = now[item];
        const Order code = label(slot);
        if (!kHops && code > threshold) {
          list(slot, code);
          slot = kFree;
        } else {
          atomicAnd(pending + (slot >> 5), ~(1u << (slot & 31)));
        }
      }
      slot = __shfl_sync(0xffffffffu, slot, lane - part);
      Length from = 0;
      if (slot != kFree) {
        vertex = vertices[slot];
        from = Kind::length(label(slot));
        if constexpr (kHops) hop = *const_cast<volatile int*>(hops + slot);
        const Arc* record = search.records + static_cast<long long>(vertex) * kRecord + part * kUnits;
        uint4 raw[kVectors];
#pragma unroll
        for (int i = 0; i < kVectors; ++i) raw[i] = __ldg(reinterpret_cast<const uint4*>(record) + i);
        const Arc* arcs = reinterpret_cast<const Arc*>(raw);
#pragma unroll
        for (int i = 0; i < kUnits; ++i)
          if (i > 0 || part > 0) relax<kHops>(arcs[i], vertex, from, hop);
        if (part == 0) link = arcs[0].number();
      }
      for (unsigned more = __ballot_sync(0xffffffffu, link != 0); more != 0; more &= more - 1) {
        const int which = __ffs(more) - 1;
        const int its_link = __shfl_sync(0xffffffffu, link, which);
        const int its_vertex = __shfl_sync(0xffffffffu, vertex, which);
        const int its_hop = __shfl_sync(0xffffffffu, hop, which);
        const Length its_from = __shfl_sync(0xffffffffu, from, which);
        const int degree = search.rest[its_link].number();
        for (int i = lane; i < degree; i += 32)
          relax<kHops>(search.rest[its_link + 1 + i], its_vertex, its_from, its_hop);
      }
    }
  }

  // Rounds until nothing is pending, or the table is full. The first list holds the source.
  template <bool kHops>
  __device__ __forceinline__ void run(int slot) {
    if (threadIdx.x == 0) {
      common.listed[0] = 1;
      common.listed[1] = 0;
      common.least[0] = common.least[1] = Kind::kNone;
      pending[slot >> 5] = 1u << (slot & 31);
      lists[0] = static_cast<unsigned short>(slot);
    }
    __syncthreads();
    Order threshold = Kind::code(search.delta);
    for (int round = 0;; ++round) {
      const unsigned have = common.listed[round % 3];
      if (have == 0) break;
      if (round > 0 && !kHops) threshold = Kind::code(Kind::length(common.least[round % 3]) + search.delta);
      listed = common.listed + (round + 1) % 3;
      target = lists + (~round & 1) * search.capacity;
      least = Kind::kNone;
      if (threadIdx.x == 0) {
        common.listed[(round + 2) % 3] = 0;
        common.least[(round + 2) % 3] = Kind::kNone;
      }
      relax_list<kHops>(lists + (round & 1) * search.capacity, have, threshold);
      if (!kHops) {
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
          least = min(least, __shfl_xor_sync(0xffffffffu, least, step));
        if ((threadIdx.x & 31) == 0 && least < Kind::kNone) atomicMin(common.least + (round + 1) % 3, least);
      }
      full = __syncthreads_or(full);
      if (full) break;
    }
    __syncthreads();
  }

  // The whole search, with an empty table.
  __device__ __forceinline__ void from(int vertex) {
    source = vertex;
    const int slot = first_slot(vertex);
    if (threadIdx.x == 0) {
      labels[slot] = Kind::code(0);
      vertices[slot] = vertex;
    }
    run<false>(slot);
    if (search.hops && !full) run<true>(slot);
  }

  // Whether slot a comes before slot b; kLast comes behind all.
  static constexpr unsigned short kLast = 65535;
  __device__ __forceinline__ bool before(unsigned short a, unsigned short b) const {
    if (a == kLast || b == kLast) return b == kLast && a != kLast;
    if (!search.by_target && labels[a] != labels[b]) return labels[a] < labels[b];
    return vertices[a] < vertices[b];
  }
  // The slots of all targets, in order, in the first list; returns their number.
  __device__ __forceinline__ int sorted() {
    if (threadIdx.x == 0) common.count = 0;
    __syncthreads();
    for (int slot = threadIdx.x; slot < search.capacity; slot += blockDim.x) {
      const int vertex = vertices[slot];
      if (vertex == kFree || (!search.own && vertex == source)) continue;
      if (search.is_target == nullptr || search.is_target[vertex])
        lists[atomicAdd(&common.count, 1u)] = static_cast<unsigned short>(slot);
    }
    __syncthreads();
    const int count = common.count;
    int size = 1;
    while (size < count) size *= 2;
    for (int i = count + threadIdx.x; i < size; i += blockDim.x) lists[i] = kLast;
    for (int run = 2; run <= size; run *= 2)
      for (int apart = run / 2; apart > 0; apart /= 2) {
        __syncthreads();
        for (int pair = threadIdx.x; pair < size / 2; pair += blockDim.x) {
          const int low = pair / apart * 2 * apart + pair % apart, high = low + apart;
          const unsigned short one = lists[low], other = lists[high];
          if ((low & run) == 0 ? before(other, one) : before(one, other)) {
            lists[low] = other;
            lists[high] = one;
          }
        }
      }
    __syncthreads();
    return count;
  }
};

// The pairs of each source, in order.
//
// A block owns a row at a time, and takes the next one from a counter. Read: records (n, 8), rest, closed
// (n,), is_target (n,), sources (rows,). Written: found.counts[row], the pairs of the row. No race: labels
// and hops are lowered, slots taken and marks set by atomic operations; a list is read in the round after it
// was written.
template <class Kind, class Arc, class Out>
__global__ void __launch_bounds__(kNearThreads) near_pairs(NearSearch<Kind, Arc> search, const int* sources,
                                                           int rows, NearFound<Out> found, unsigned* next) {
  APSP_DYNAMIC_SHARED(uint4, shared);
  __shared__ NearCommon<typename Kind::Order> common;
  NearBlock<Kind, Arc> block(search, common, shared);
  for (;; __syncthreads()) {
    if (threadIdx.x == 0) {
      common.row = atomicAdd(next, 1u);
      common.met = 0;
    }
    block.clear();
    __syncthreads();
    if (common.row >= rows) return;
    block.from(sources[common.row]);
    const int row = common.row, count = block.full ? kTableFull : min(block.sorted(), search.k);
    if (threadIdx.x == 0) found.counts[row] = count;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
      const int slot = block.lists[i], vertex = block.vertices[slot];
      const long long at = row * found.pitch + i;
      found.targets[at] = vertex;
      found.distances[at] = Out(Kind::length(block.labels[slot]));
      if (search.hops) found.hops[at] = vertex == block.source ? -1 : block.hops[slot];
    }
  }
}

// sums[row, c, k]: the sum of the amounts k within cutoff c of the pairs of each row; 0 without pairs.
//
// A block owns a row. Read: found. Written: sums (rows, kCutoffs, kKinds). No race: threads are joined in
// shared memory, always in the same order.
template <class T, int kKinds>
__global__ void __launch_bounds__(kNearThreads)
    weigh_pairs(NearFound<T> found, Weighing<T, kKinds> weighing, double* sums) {
  constexpr int kSums = kCutoffs * kKinds;
  __shared__ double parts[kNearThreads / 32][kSums];
  const long long row = blockIdx.x;
  WeighedSums<T, kKinds> mine;
  mine.clear();
  for (long long i = threadIdx.x; i < found.counts[row]; i += blockDim.x)
    mine.add(weighing, found.distances[row * found.pitch + i], found.targets[row * found.pitch + i]);
  const double sum = mine.joined(parts, threadIdx.x);
  if (threadIdx.x < kSums) sums[row * kSums + threadIdx.x] = sum;
}

// Values of rows that are `pitch` apart, `counts` of each, to where `starts` says: next to each other.
//
// A block owns a row at a time. No race: rows do not overlap.
template <class T>
__global__ void join_rows(const T* values, long long pitch, const int* counts, const long long* starts,
                          int rows, T* joined) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x)
    for (int i = threadIdx.x; i < counts[row]; i += blockDim.x)
      joined[starts[row] + i] = values[row * pitch + i];
}

}  // namespace apsp
