// The kernels of Okuyama, Ino and Hagihara, section 5.1: kTasks single-source problems at once. Entry (v, s)
// of Ma, Ca and Ua lies at v * kTasks + s (figure 8b), so that the tasks of a vertex lie side by side.
#include "atomic_min.cuh"

namespace apsp {

// Waits for the tasks of one's own vertex, and returns whether the condition of any waiting thread is true.
// One warp holds them all if there are 32; otherwise the block waits.
template <int kTasks>
__device__ __forceinline__ bool any_task(bool claim) {
  if constexpr (kTasks == 32) {
    __syncwarp();  // a vote alone orders no memory
    return __any_sync(0xffffffffu, claim);
  } else {
    return __syncthreads_or(claim);
  }
}

// Figure 9: offers to the neighbours of a vertex, for every task that modified it, by way of shared memory.
//
// A block owns kVertices vertices, a thread one of them in one of the kTasks problems. Read: Va = start (n +
// 1,), Ea = heads (m,), Wa = lengths (m,), Ca = costs (n, kTasks); an adjacency comes into shared memory in
// pieces of kTasks arcs, an arc a thread, if any task of the vertex is modified. Written: Ma = modified (n,
// kTasks), Ua = updates (n, kTasks). No race: a flag belongs to its thread; the tasks of a vertex wait for
// each other before and after a piece is read; Ua is lowered by atomic minima only.
template <class T, int kTasks, int kVertices>
__global__ void __launch_bounds__(kTasks* kVertices)
    okuyama_scatter(const long long* start, const int* heads, const T* lengths, int n, int* modified,
                    const T* costs, T* updates) {
  __shared__ int ms[kVertices], es[kVertices][kTasks];
  __shared__ T ws[kVertices][kTasks];
  __shared__ long long from[kVertices], to[kVertices];
  const int v = threadIdx.x / kTasks, s = threadIdx.x % kTasks, vg = blockIdx.x * kVertices + v;
  const long long own = static_cast<long long>(vg) * kTasks + s;
  const bool active = vg < n && modified[own];
  if (s == 0) {
    ms[v] = 0;
    from[v] = to[v] = 0;
  }
  any_task<kTasks>(true);
  if (active) ms[v] = 1;
  any_task<kTasks>(true);
  if (ms[v] && s == 0) {
    from[v] = start[vg];
    to[v] = start[vg + 1];
  }
  any_task<kTasks>(true);
  if (active) modified[own] = 0;
  const long long neighbours = to[v] - from[v];
  const T cost = active ? costs[own] : T(0);
  for (long long first = 0; any_task<kTasks>(first < neighbours); first += kTasks) {
    if (first + s < neighbours) {
      es[v][s] = heads[from[v] + first + s];
      ws[v][s] = lengths[from[v] + first + s];
    }
    any_task<kTasks>(true);
    if (active)
      for (int i = 0; i < kTasks && first + i < neighbours; ++i)
        lower(updates + static_cast<long long>(es[v][i]) * kTasks + s, cost + ws[v][i]);
  }
}

// The same without shared memory: every thread reads the adjacency for itself.
//
// A block owns kVertices vertices, a thread one of them in one of the kTasks problems. Read: Va = start (n +
// 1,), Ea = heads (m,), Wa = lengths (m,), Ca = costs (n, kTasks). Written: Ma = modified (n, kTasks), Ua =
// updates (n, kTasks). No race: a flag belongs to its thread, and Ua is lowered by atomic minima only.
template <class T, int kTasks, int kVertices>
__global__ void __launch_bounds__(kTasks* kVertices)
    okuyama_scatter_global(const long long* start, const int* heads, const T* lengths, int n, int* modified,
                           const T* costs, T* updates) {
  const int s = threadIdx.x % kTasks, vg = blockIdx.x * kVertices + threadIdx.x / kTasks;
  const long long own = static_cast<long long>(vg) * kTasks + s;
  if (vg >= n || !modified[own]) return;
  modified[own] = 0;
  for (long long i = start[vg]; i < start[vg + 1]; ++i)
    lower(updates + static_cast<long long>(heads[i]) * kTasks + s, costs[own] + lengths[i]);
}

// Takes over what became smaller, and marks it: modified = costs > updates.
//
// A block owns kVertices vertices, a thread one of them in one of the kTasks problems. Read: Ua = updates (n,
// kTasks). Written: Ma = modified (n, kTasks), Ca = costs (n, kTasks), and by one thread of the block the
// flag `changed`. No race: an entry belongs to its thread; all who write the flag of the block, or the one of
// all blocks, write 1, and barriers lie around the block's.
template <class T, int kTasks, int kVertices>
__global__ void __launch_bounds__(kTasks* kVertices)
    okuyama_check(int n, int* modified, T* costs, const T* updates, int* changed) {
  __shared__ int changed_here;
  const int vg = blockIdx.x * kVertices + threadIdx.x / kTasks;
  const long long own = static_cast<long long>(vg) * kTasks + threadIdx.x % kTasks;
  if (threadIdx.x == 0) changed_here = 0;
  __syncthreads();
  if (vg < n && costs[own] > updates[own]) {
    costs[own] = updates[own];
    modified[own] = 1;
    changed_here = 1;
  }
  __syncthreads();
  if (threadIdx.x == 0 && changed_here) *changed = 1;
}

}  // namespace apsp
