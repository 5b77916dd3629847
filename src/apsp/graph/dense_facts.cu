// Properties of a dense matrix of lengths that planning needs, computed on the device.
#include "dense_arcs.cuh"

namespace apsp {

// For each row: facts[u] = (arcs, arcs of length zero to other vertices, first column with an invalid entry
// or n), and the shortest and the longest arc.
//
// A block owns one row. A thread owns every 256th entry of it.
// Read: lengths (n, n). Written: facts (n, 3), extremes (n, 2), the latter the ends of the range if there are
// no arcs. No race: warps exchange values in shared memory between barriers.
template <class W>
__global__ void dense_facts(const W* lengths, long long stride, int n, W absent, int absent_kind,
                            long long* facts, W* extremes) {
  __shared__ int arcs, zeros, bad;
  __shared__ W least[8], most[8];
  const int row = blockIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (threadIdx.x == 0) {
    arcs = zeros = 0;
    bad = n;
  }
  __syncthreads();
  int own_arcs = 0, own_zeros = 0, own_bad = n;
  W low = Range<W>::kMost, high = Range<W>::kLeast;
  for (int column = threadIdx.x; column < n; column += blockDim.x) {
    const W length = lengths[row * stride + column];
    const bool diagonal = column == row, present = is_arc(length, absent, absent_kind, false);
    const bool arc = present && (!diagonal || length < W(0));
    if constexpr (kIsFloat<W>) {
      const bool nothing = length != length || length == Range<W>::kLeast;
      if ((present && nothing) || (arc && length == Range<W>::kMost)) own_bad = min(own_bad, column);
    }
    if (!arc) continue;
    ++own_arcs;
    own_zeros += !diagonal && length == W(0);
    low = smaller(low, length);
    high = larger(high, length);
  }
  for (int by = 16; by > 0; by >>= 1) {
    low = smaller(low, __shfl_down_sync(0xffffffffu, low, by));
    high = larger(high, __shfl_down_sync(0xffffffffu, high, by));
  }
  if (lane == 0) {
    least[warp] = low;
    most[warp] = high;
  }
  if (own_arcs) atomicAdd(&arcs, own_arcs);
  if (own_zeros) atomicAdd(&zeros, own_zeros);
  if (own_bad < n) atomicMin(&bad, own_bad);
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int k = 1; k < 8; ++k) {
    low = smaller(low, least[k]);
    high = larger(high, most[k]);
  }
  facts[row * 3ll] = arcs;
  facts[row * 3ll + 1] = zeros;
  facts[row * 3ll + 2] = bad;
  extremes[row * 2ll] = low;
  extremes[row * 2ll + 1] = high;
}

constexpr long long kNowhere = Range<long long>::kNoPath;

// from[v] = min(from[v], from[u] + length of u -> v) over all u: one round of paths from a root.
//
// A block owns 32 columns and 1,024 rows, a warp every 8th of these rows, a lane one of the columns.
// Read: lengths (n, n) of integers, `from` (n,). Written: `from`. No race: atomic minima; a value that
// another block has lowered already is the length of a path, too.
template <class W>
__global__ void relax_from(const W* lengths, long long stride, int n, W absent, int absent_kind,
                           long long* from) {
  __shared__ long long best[8][32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, column = blockIdx.x * 32 + lane;
  const int first = blockIdx.y * 1024, last = min(first + 1024, n);
  long long own = kNowhere;
  for (int u = first + warp; u < last && column < n; u += 8) {
    const W length = lengths[u * stride + column];
    const long long before = static_cast<volatile long long*>(from)[u];
    if (before < kNowhere && is_arc(length, absent, absent_kind, u == column))
      own = min(own, before + length);
  }
  best[warp][lane] = own;
  __syncthreads();
  if (warp != 0 || column >= n) return;
  for (int k = 1; k < 8; ++k) own = min(own, best[k][lane]);
  if (own < kNowhere) atomicMin(from + column, own);
}

// into[u] = min(into[u], length of u -> v + into[v]) over all v: one round of paths to a root.
//
// A block owns one row, a thread every 256th of its columns. Read: lengths (n, n) of integers, `into` (n,).
// Written: `into`. No race: as above.
template <class W>
__global__ void relax_into(const W* lengths, long long stride, int n, W absent, int absent_kind,
                           long long* into) {
  const int row = blockIdx.x;
  long long own = kNowhere;
  for (int v = threadIdx.x; v < n; v += blockDim.x) {
    const W length = lengths[row * stride + v];
    const long long after = static_cast<volatile long long*>(into)[v];
    if (after < kNowhere && is_arc(length, absent, absent_kind, v == row)) own = min(own, after + length);
  }
  for (int by = 16; by > 0; by >>= 1) own = min(own, __shfl_down_sync(0xffffffffu, own, by));
  if ((threadIdx.x & 31) == 0 && own < kNowhere) atomicMin(into + row, own);
}

}  // namespace apsp
