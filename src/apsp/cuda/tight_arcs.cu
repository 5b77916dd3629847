// The arcs that are shortest paths themselves (length == distance, bit by bit): the only ones that trees of
// shortest paths need.
#include "dense_arcs.cuh"

namespace apsp {

// Append `key` to the list where `wanted`; count goes on beyond the capacity, so that it says what is needed.
// All threads of a warp call this together.
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

// Keys (head n + tail) of the tight arcs out of the rows [row_from, row_from + gridDim.x) of CSR arrays.
//
// A block owns one tail. A thread owns every 256th of its arcs.
// Read: dist (rows, n) in public values, indptr (n + 1,), indices and weights (m,). Written: keys
// (capacity,), in any order; count. No race: a place in the list is given out by an atomic addition.
template <class T>
__global__ void tight_arcs(const T* dist, long long stride, int n, int row_from, const long long* indptr,
                           const int* indices, const T* weights, long long* keys, long long capacity,
                           unsigned long long* count) {
  const int tail = row_from + blockIdx.x;
  const T* row = dist + blockIdx.x * stride;
  const long long end = indptr[tail + 1];
  for (long long first = indptr[tail]; first < end; first += blockDim.x) {
    const long long arc = first + threadIdx.x;
    const int head = arc < end ? indices[arc] : tail;
    append(head != tail && weights[min(arc, end - 1)] == row[head], static_cast<long long>(head) * n + tail,
           keys, capacity, count);
  }
}

// The same of a dense matrix of lengths (rows, n).
//
// A block owns one tail. A thread owns every 256th of its heads.
// Read: dist and lengths (rows, n). Written: keys (capacity,), in any order; count. No race: as above.
template <class T, class W>
__global__ void tight_entries(const T* dist, long long stride, int n, int row_from, const W* lengths,
                              long long lengths_stride, W absent, int absent_kind, long long* keys,
                              long long capacity, unsigned long long* count) {
  const int tail = row_from + blockIdx.x;
  const T* row = dist + blockIdx.x * stride;
  const W* out = lengths + blockIdx.x * lengths_stride;
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
  }
}

// Sorted keys to lists by head: heads' lists begin at start (n + 1,). A tail is stored as ~tail where the arc
// may only be the first of a path: it leaves a closed vertex; or it does not lead away from the source, and
// equality alone could go round a cycle of length zero. `height` (n,) or null: potentials that make all arcs
// non-negative, a path of reduced length zero does not lead away.
//
// A thread owns one arc. Read: keys (count,), weights by way of dist[tail, head] (n, n), closed (n,) or null.
// Written: tails and weights (count,), start (n + 1,). No race: an arc's places are its own; start[v] is
// written by the first arc whose head is at least v.
template <class T>
__global__ void lists_by_head(const long long* keys, long long count, int n, const T* dist, long long stride,
                              const T* height, const bool* closed, int* tails, T* weights, long long* start) {
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
    long long reduced = weight;
    if (height != nullptr)
      reduced += static_cast<long long>(height[tail]) - static_cast<long long>(height[head]);
    first_only = first_only || reduced <= 0;
  }
  tails[arc] = first_only ? ~tail : tail;
  weights[arc] = weight;
}

}  // namespace apsp
