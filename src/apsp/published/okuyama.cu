// The kernels of Okuyama, Ino and Hagihara, section 5.1: kTasks single-source problems at once. Entry (v, s)
// of Ma, Ca and Ua lies at v * kTasks + s (figure 8b), so that the tasks of a vertex are contiguous.
#include "atomic_min.cuh"

namespace apsp {

// Waits for the tasks of the thread's vertex, and returns whether the condition of any waiting thread is
// true. If there are 32 tasks, they are one warp; otherwise the block waits.
template <int kTasks>
__device__ __forceinline__ bool any_task(bool claim) {
  if constexpr (kTasks == 32) {
    __syncwarp();  // a vote alone does not order memory accesses
    return __any_sync(0xffffffffu, claim);
  } else {
    return __syncthreads_or(claim);
  }
}

// Figure 9: updates the neighbours of a vertex, for every task that modified it, with the arcs in shared
// memory.
//
// A block owns kVertices vertices, a thread one of them in one of the kTasks problems. Read: Va = start (n +
// 1,), Ea = heads (m,), Wa = lengths (m,), Ca = costs (n, kTasks); an adjacency is loaded into shared memory
// in pieces of kTasks arcs, one arc per thread, if the vertex is modified in any task. Written: Ma = modified
// (n, kTasks), Ua = updates (n, kTasks). No race: a flag belongs to its thread; the tasks of a vertex wait
// for each other before and after a piece is read; Ua is lowered by atomic minima only.
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

// The same without shared memory: every thread reads the adjacency from device memory.
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

// Accepts costs that became smaller, and marks them: modified = costs > updates.
//
// A block owns kVertices vertices, a thread one of them in one of the kTasks problems. Read: Ua = updates (n,
// kTasks). Written: Ma = modified (n, kTasks), Ca = costs (n, kTasks), and by one thread of the block the
// flag `changed`. No race: an entry belongs to its thread; all threads that write the flag of the block, or
// of all blocks, write 1, and barriers lie before and after the writes to the block's flag.
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
