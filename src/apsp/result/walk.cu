// Paths from predecessors: the first hops of all pairs, and the vertices of many paths.

namespace apsp {

constexpr int kMostRounds = 40;  // of doubling: chains of 2^31 vertices need 31

// hops[i, v] = the vertex after sources[i] on the path that pred (rows, n) describes, -1 where there is none;
// corrupt[0] = 1 if some chain does not reach its source.
//
// A block owns one row. A thread owns every 256th vertex of it. Every vertex points at its predecessor, or at
// itself if that is the source; pointers are doubled until nothing changes. Read: pred, sources (rows,).
// Written: hops (rows, n). No race: a pointer only moves along its chain, so an old value is as correct as a
// new one; rounds end at barriers.
__global__ void first_hops(const int* pred, long long pred_stride, int n, const int* sources, int* hops,
                           long long hops_stride, int* corrupt) {
  const int source = sources[blockIdx.x];
  const int* before = pred + blockIdx.x * pred_stride;
  volatile int* hop = hops + blockIdx.x * hops_stride;
  for (int v = threadIdx.x; v < n; v += blockDim.x) {
    const int u = before[v];
    hop[v] = v == source || u < 0 || u >= n ? -1 : u == source ? v : u;
    if (u < -1 || u >= n) corrupt[0] = 1;
  }
  __syncthreads();
  bool changed = true;
  for (int round = 0; round < kMostRounds && changed; ++round) {
    bool mine = false;
    for (int v = threadIdx.x; v < n; v += blockDim.x) {
      const int u = hop[v];
      if (u < 0 || u == v) continue;
      const int further = hop[u];
      if (further == u) continue;
      if (further < 0) corrupt[0] = 1;
      hop[v] = further;
      mine = true;
    }
    changed = __syncthreads_or(mine);
  }
  for (int v = threadIdx.x; v < n; v += blockDim.x)  // a cycle does not end at a vertex next to the source
    if (changed || (hop[v] >= 0 && before[hop[v]] != source)) corrupt[0] = 1;
}

// lengths[q] = the number of vertices of the path from sources[q] to targets[q] by row rows[q] of pred, 0 if
// there is none, -1 if the row is corrupt.
//
// A thread owns one path. Read: pred (S, n). Written: lengths (count,). No race: each entry has one writer.
__global__ void path_lengths(const int* pred, long long pred_stride, int n, const int* rows,
                             const int* sources, const int* targets, int count, long long* lengths) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= count) return;
  const int* before = pred + rows[q] * pred_stride;
  int vertex = targets[q];
  long long length = 1;
  while (vertex != sources[q]) {
    vertex = before[vertex];
    if (vertex < 0) break;
    if (vertex >= n || ++length > n) break;
  }
  lengths[q] = vertex >= 0 && vertex < n && length <= n ? length : vertex == -1 ? 0 : -1;
}

// The vertices of those paths, each beginning with its source, the q-th in [ends[q - 1], ends[q]) of
// `vertices`.
//
// A thread owns one path. Read: pred (S, n), ends (count,). Written: vertices. No race: the pieces do not
// overlap.
__global__ void path_vertices(const int* pred, long long pred_stride, const int* rows, const int* targets,
                              const long long* ends, int count, int* vertices) {
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= count) return;
  const int* before = pred + rows[q] * pred_stride;
  int vertex = targets[q];
  for (long long at = ends[q] - 1, first = q == 0 ? 0 : ends[q - 1]; at >= first; --at) {
    vertices[at] = vertex;
    if (at > first) vertex = before[vertex];
  }
}

}  // namespace apsp
