// Label correcting from many sources at once: a block per source, its labels in shared memory (near-far
// queues: Davidson, Baxter, Garland, Owens 2014, section 4).
#include "dynamic_shared.cuh"
#include "near_far.cuh"

namespace apsp {

// Records and further arcs from CSR arrays. Arcs of at least `limit` are ignored.
//
// A thread owns one vertex. Read: indptr (n + 1,), indices and weights (m,). Written: records (n, 8); from
// rest[link] on, if the vertex has more than 7 arcs, their number and the arcs, at 1 + indptr[v] + v. No
// race: every entry has one writer.
template <class Arc, class T>
__global__ void pack_arcs(const long long* indptr, const int* indices, const T* weights, int n, T limit,
                          int head_bits, Arc* records, Arc* rest) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  const long long first = indptr[v], degree = indptr[v + 1] - first, link = 1 + first + v;
  Arc* record = records + static_cast<long long>(v) * kRecord;
  const Arc loop = Arc::of(v, T(0), head_bits);
  record[0] = Arc::number(degree > kInRecord ? int(link) : 0);
  for (int i = 0; i < kInRecord; ++i) {
    const bool some = i < degree && weights[first + i] < limit;
    record[1 + i] = some ? Arc::of(indices[first + i], weights[first + i], head_bits) : loop;
  }
  if (degree <= kInRecord) return;
  rest[link] = Arc::number(int(degree - kInRecord));
  for (long long i = kInRecord; i < degree; ++i) {
    const bool some = weights[first + i] < limit;
    rest[link + 1 + i - kInRecord] = some ? Arc::of(indices[first + i], weights[first + i], head_bits) : loop;
  }
}

// dist[row, i] = the distance from sources[row] to targets[i] (to i, without targets).
//
// A block owns a row at a time, and takes the next one from a counter. A thread owns the vertices that it
// takes from the list of a round. Read: records (n, 8), rest, closed (n,) or null, sources, which (rows,) or
// null: the rows. Written: dist (.., columns); failed[row] and *any_failed if 16 bits were not enough (1) or
// there is a negative cycle (2). `scratch` holds the data that does not fit in shared memory. No race: labels
// are lowered and marks are set by atomic operations; a list is read in the round after it was written.
template <class Kind, class Arc, class Out, bool kShared>
__global__ void __launch_bounds__(1024, 1)
    label_correcting(Search<Kind, Arc> search, const int* sources, const int* which, int rows,
                     const int* targets, int columns, Out* dist, long long stride, unsigned char* scratch,
                     long long scratch_bytes, unsigned* next, unsigned char* failed, unsigned* any_failed) {
  using Order = typename Kind::Order;
  APSP_DYNAMIC_SHARED(uint4, shared);
  __shared__ Common<Order> common;
  const int words = (search.n + 31) / 32;
  auto* lists = reinterpret_cast<unsigned*>(shared);
  unsigned char* own = kShared ? reinterpret_cast<unsigned char*>(lists + 2 * search.capacity)
                               : scratch + blockIdx.x * scratch_bytes;
  auto* labels = reinterpret_cast<typename Kind::Code*>(own);
  const long long label_bytes = (search.n * sizeof(typename Kind::Code) + 15) / 16 * 16;
  auto* pending = reinterpret_cast<unsigned*>(own + label_bytes);
  for (;;) {
    if (threadIdx.x == 0) common.row = atomicAdd(next, 1u);
    for (int v = threadIdx.x; v < search.n; v += blockDim.x) labels[v] = Kind::kNone;
    for (int word = threadIdx.x; word < words; word += blockDim.x) pending[word] = 0;
    __syncthreads();
    if (common.row >= rows) return;
    const int row = which == nullptr ? common.row : which[common.row], source = sources[row];
    if (threadIdx.x == 0) {
      common.counts[0] = 1;
      common.counts[1] = common.counts[2] = common.hubs = 0;
      common.too_long = false;
      labels[source] = Kind::code(0);
      pending[source >> 5] = 1u << (source & 31);
      lists[0] = source;
    }
    __syncthreads();
    const Order start = search.fifo ? Order(Kind::kNone) : Kind::code(search.delta);
    Block<Kind, Arc, kShared> block{search,  common,  labels, pending,     nullptr,
                                    nullptr, nullptr, start,  search.reach};
    block.run(lists);
    __syncthreads();
    if (threadIdx.x == 0 && (block.endless || common.too_long)) {
      failed[row] = block.endless ? 2 : 1;
      *any_failed = 1;
    }
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
      const Order code = block.label(targets == nullptr ? i : targets[i]);
      const bool none = code >= Kind::kNone || code > search.reach;
      dist[row * stride + i] = none ? Range<Out>::kMost : Out(Kind::length(code));
    }
    __syncthreads();
  }
}

}  // namespace apsp
