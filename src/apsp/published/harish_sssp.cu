// The two kernels of Harish and Narayanan: one single-source problem, one thread per vertex (Okuyama et al.,
// figure 5).
#include "atomic_min.cuh"

namespace apsp {

// For every neighbour n of a modified vertex v: updates[n] = min(updates[n], costs[v] + w(v, n)).
//
// A block owns 256 vertices, a thread one of them. Read: Va = start (n + 1,), Ea = heads (m,), Wa = lengths
// (m,), Ca = costs (n,). Written: Ma = modified (n,), Ua = updates (n,). No race: a flag belongs to one
// thread, Ca does not change in this kernel, and Ua is lowered by atomic minima only.
template <class T>
__global__ void harish_scatter(const long long* start, const int* heads, const T* lengths, int n,
                               int* modified, const T* costs, T* updates) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !modified[v]) return;
  modified[v] = 0;
  for (long long i = start[v]; i < start[v + 1]; ++i) lower(updates + heads[i], costs[v] + lengths[i]);
}

// Accepts costs that became smaller, and marks their vertices: modified[v] = costs[v] > updates[v].
//
// A block owns 256 vertices, a thread one of them. Read: Ua = updates (n,). Written: Ma = modified (n,), Ca =
// costs (n,), the one convergence flag `changed`. No race: a vertex belongs to its thread, and all threads
// that write the flag write 1.
template <class T>
__global__ void harish_check(int n, int* modified, T* costs, const T* updates, int* changed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !(costs[v] > updates[v])) return;
  costs[v] = updates[v];
  modified[v] = 1;
  *changed = 1;
}

}  // namespace apsp
