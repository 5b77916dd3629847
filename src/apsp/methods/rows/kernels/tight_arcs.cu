// The arcs that are shortest paths themselves (length == distance, bit by bit): only these are needed for
// trees of shortest paths.
#include "dense_arcs.cuh"

namespace apsp {

// Appends `key` to the list if `wanted`; count is increased beyond the capacity too, so that it is the needed
// capacity. All threads of a warp call this together.
__device__ __forceinline__ void append(bool wanted, long long key, long long* keys, long long capacity,
                                       unsigned long long* count) {
  const unsigned who = __ballot_sync(0xffffffffu, wanted);
  if (who == 0) return;
  const int lane = threadIdx.x & 31;
  unsigned long long first = 0;
  if (lane == 0) first = atomicAdd(count, static_cast<unsigned long long>(__popc(who)));
  first = __shfl_sync(0xffffffffu, first, 0);
  const long long at = static_cast<long long>(first) + __popc(who & ((1u << lane) - 1));
  if (wanted && at < capacity) keys[at] = key;
}

// Keys (head n + tail) of the tight arcs of a graph in CSR arrays, and the same as bits.
//
// A block owns one tail. A thread owns every 256th of its arcs.
// Read: dist (n, n) in public values, indptr (n + 1,), indices and weights (m,). Written: keys (capacity,),
// in any order; count; bit head % 32 of word head / 32 in the row of the tail, in bits (n, words), zero
// before. No race: places in the list are assigned by an atomic addition, bits are set by atomic operations.
template <class T>
__global__ void tight_arcs(const T* dist, long long stride, int n, const long long* indptr,
                           const int* indices, const T* weights, long long* keys, long long capacity,
                           unsigned long long* count, unsigned* bits, int words) {
  const int tail = blockIdx.x;
  const T* row = dist + tail * stride;
  const long long end = indptr[tail + 1];
  for (long long first = indptr[tail]; first < end; first += blockDim.x) {
    const long long arc = first + threadIdx.x;
    const int head = arc < end ? indices[arc] : tail;
    const bool tight = head != tail && weights[min(arc, end - 1)] == row[head];
    append(tight, static_cast<long long>(head) * n + tail, keys, capacity, count);
    if (tight) atomicOr(bits + static_cast<long long>(tail) * words + head / 32, 1u << (head & 31));
  }
}

// The same for a dense matrix of lengths (n, n).
//
// A block owns one tail. A thread owns every 256th of its heads.
// Read: dist and lengths (n, n). Written: keys (capacity,), in any order; count; bits (n, words), of which a
// warp writes whole words. No race: as above.
template <class T, class W>
__global__ void tight_entries(const T* dist, long long stride, int n, const W* lengths,
                              long long lengths_stride, W absent, int absent_kind, long long* keys,
                              long long capacity, unsigned long long* count, unsigned* bits, int words) {
  const int tail = blockIdx.x;
  const T* row = dist + tail * stride;
  const W* out = lengths + tail * lengths_stride;
  for (int first = 0; first < n; first += blockDim.x) {
    const int head = first + threadIdx.x;
    bool tight = false;
    if (head < n && head != tail) {
      const W length = out[head];
      if (is_arc(length, absent, absent_kind, false)) {
        if constexpr (kIsFloat<W> || kIsFloat<T>)
          tight = T(length) == row[head];
        else
          tight = static_cast<long long>(length) == static_cast<long long>(row[head]);
      }
    }
    append(tight, static_cast<long long>(head) * n + tail, keys, capacity, count);
    const unsigned word = __ballot_sync(0xffffffffu, tight);
    if ((threadIdx.x & 31) == 0 && head < n) bits[static_cast<long long>(tail) * words + head / 32] = word;
  }
}

// sums[v] += min(dist[i, v] + height[i] - height[v], most) over all rows i: if potentials `height` (n,) make
// all arcs non-negative, the sums increase along every arc by at most n times its reduced length, and by less
// unless it is on a cycle of length zero, because of the row of its head.
//
// A block owns 256 columns and 256 rows, a thread one of the columns.
// Read: dist (n, n), height (n,). Written: sums (n,). No race: atomic additions of integers.
template <class T>
__global__ void sums_of_reduced(const T* dist, long long stride, int n, const T* height, long long most,
                                unsigned long long* sums) {
  const int column = blockIdx.x * 256 + threadIdx.x, first = blockIdx.y * 256;
  if (column >= n) return;
  const long long own = height[column];
  long long sum = 0;
  for (int row = first; row < min(first + 256, n); ++row) {
    const T distance = dist[row * stride + column];
    const bool none = distance == Range<T>::kMost;
    sum += none ? most : min(static_cast<long long>(distance) + height[row] - own, most);
  }
  atomicAdd(sums + column, static_cast<unsigned long long>(sum));
}

// Sorted keys to lists by head: start[v] (n + 1,) is the beginning of those of v. A tail is stored as ~tail
// if the arc may only be the first of a path: it leaves a closed vertex, or does not lead away from every
// source, so that with equality alone predecessors could form a cycle of length zero. It leads away if it is
// longer than zero; with `height` and `sums` (n,) as above, if the sums increase by less than the maximum.
//
// A thread owns one arc. Read: keys (count,), weights from dist[tail, head] (n, n), closed (n,) or null.
// Written: tails and weights (count,), start (n + 1,). No race: each arc has its own places; start[v] is
// written by the first arc whose head is at least v.
template <class T>
__global__ void lists_by_head(const long long* keys, long long count, int n, const T* dist, long long stride,
                              const T* height, const long long* sums, long long most, const bool* closed,
                              int* tails, T* weights, long long* start) {
  const long long arc = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (arc > count) return;
  const int before = arc == 0 ? -1 : int(keys[arc - 1] / n);
  const int head = arc == count ? n : int(keys[arc] / n);
  for (int v = before + 1; v <= head; ++v) start[v] = arc;
  if (arc == count) return;
  const int tail = int(keys[arc] % n);
  const T weight = dist[tail * stride + head];
  bool first_only = closed != nullptr && closed[tail];
  if constexpr (!kIsFloat<T>) {
    if (height == nullptr) {
      first_only = first_only || weight <= 0;
    } else {
      const long long reduced = static_cast<long long>(weight) + height[tail] - height[head];
      first_only = first_only || n * min(reduced, most) + sums[tail] - sums[head] <= 0;
    }
  }
  tails[arc] = first_only ? ~tail : tail;
  weights[arc] = weight;
}

}  // namespace apsp
