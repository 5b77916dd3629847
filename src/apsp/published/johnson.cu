// Johnson's algorithm of Batool, Mehdi: Bellman-Ford by queues, reweighting, Dijkstra by frontiers.
// T is long long or double: heights and reduced lengths of every graph are computed in 64 bits.

namespace apsp {

typedef long long Integer;

template <class T>
struct Length;

// Sums saturate, so that they do not wrap.
template <>
struct Length<Integer> {
  static constexpr Integer kNoPath = 0x7fffffffffffffffLL, kLongest = 1LL << 61, kLowest = -(1LL << 62);
  static __device__ Integer none() { return kNoPath; }
  static __device__ Integer sum(Integer a, Integer b) { return b > kNoPath - a ? kNoPath : a + b; }
  static __device__ Integer fall(Integer height, Integer w) { return max(height + w, kLowest); }
  static __device__ Integer reduced(Integer w, Integer tail, Integer head) {
    return w >= kLongest ? kNoPath : w + tail - head;
  }
  static __device__ Integer lower(Integer* at, Integer value) { return atomicMin(at, value); }
  static __device__ Integer sink(Integer* at, Integer value) { return atomicMin(at, value); }
};

// Floats that are not negative order as integers; heights, which are at most zero, order the other way round
// as unsigned ones.
template <>
struct Length<double> {
  static __device__ double none() { return __longlong_as_double(0x7ff0000000000000LL); }
  static __device__ double sum(double a, double b) { return a + b; }
  static __device__ double fall(double height, double w) { return height + w; }
  static __device__ double reduced(double w, double tail, double head) {
    const double value = w + tail - head;
    return value > 0 ? value : 0.0;
  }
  static __device__ double lower(double* at, double value) {
    return __longlong_as_double(atomicMin(reinterpret_cast<Integer*>(at), __double_as_longlong(value)));
  }
  static __device__ double sink(double* at, double value) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
    return __longlong_as_double(atomicMax(reinterpret_cast<unsigned long long*>(at), bits));
  }
};

__device__ __forceinline__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

// relaxQueue of figure 3: the four classes of arcs.
//
// A block owns blockDim.x entries of a queue, a thread one of them and its arcs.
// Read: queue (count), arcs (m), in_degree (n); written: height (n), stamp (n), next (n), its length tail.
// No race: heights only fall, by atomics, or by the one thread that owns the only arc into a vertex; stamps
// ensure that a vertex enters the next queue only once; if a height fell after it was read, its vertex is in
// that queue.
template <class T>
__global__ void relax_queue(const int* queue, int count, const Integer* indptr, const int* indices,
                            const T* weights, const int* in_degree, T* height, int* stamp, int round,
                            int* next, int* tail) {
  const int i = thread_number();
  if (i >= count) return;
  const int u = queue[i];
  const T own = *static_cast<volatile T*>(height + u);
  for (Integer arc = indptr[u]; arc < indptr[u + 1]; ++arc) {
    const int v = indices[arc];
    if (u == v || indptr[v] == indptr[v + 1]) continue;  // self-revolving; outgoing
    const T length = Length<T>::fall(own, weights[arc]);
    if (!(length < *static_cast<volatile T*>(height + v))) continue;
    if (in_degree[v] == 1)  // incoming
      height[v] = length;
    else if (!(length < Length<T>::sink(height + v, length)))
      continue;
    if (atomicExch(stamp + v, round) != round) next[atomicAdd(tail, 1)] = v;
  }
}

// The outgoing class, after the queue is empty.
//
// A block owns blockDim.x vertices, a thread one and its arcs.
// Read: arcs (m), heights of vertices with arcs out; written: heights of vertices without arcs out (n in
// total). No race: entries that are read are not written; entries that are written are lowered by atomics.
template <class T>
__global__ void relax_outgoing(int n, const Integer* indptr, const int* indices, const T* weights,
                               T* height) {
  const int u = thread_number();
  if (u >= n) return;
  for (Integer arc = indptr[u]; arc < indptr[u + 1]; ++arc) {
    const int v = indices[arc];
    if (indptr[v] != indptr[v + 1]) continue;
    const T length = Length<T>::fall(height[u], weights[arc]);
    if (length < 0) Length<T>::sink(height + v, length);
  }
}

// Figure 4, and the shortest arc out of each vertex, which the thresholds need.
//
// A block owns blockDim.x vertices, a thread one and its arcs.
// Read: height (n), arcs (m); written: weights (m), least (n).
// No race: a thread writes only its own arcs and its own entry.
template <class T>
__global__ void reweight(int n, const Integer* indptr, const int* indices, const T* height, T* weights,
                         T* least) {
  const int u = thread_number();
  if (u >= n) return;
  T shortest = Length<T>::none();
  for (Integer arc = indptr[u]; arc < indptr[u + 1]; ++arc) {
    const T w = Length<T>::reduced(weights[arc], height[u], height[indices[arc]]);
    weights[arc] = w;
    if (indices[arc] != u && w < shortest) shortest = w;
  }
  least[u] = shortest;
}

// The initial state of a search.
//
// A block owns blockDim.x vertices, a thread one. Written: dist, unsettled, flag, settled (n), queue (its
// first). No race: a thread writes its own entries; the queue has one writer.
template <class T>
__global__ void begin(int n, int source, T* dist, unsigned char* unsettled, unsigned char* flag, int* settled,
                      int* queue) {
  const int u = thread_number();
  if (u >= n) return;
  dist[u] = u == source ? T{} : Length<T>::none();
  unsettled[u] = u != source;
  flag[u] = u == source;
  settled[u] = u == source ? 0 : -1;
  if (u == source) queue[0] = u;
}

// Resets the threshold and the length of the next queue for the launches after a relaxation.
template <class T>
__device__ __forceinline__ void clear(T* threshold, int* tail) {
  if (thread_number() > 0) return;
  *threshold = Length<T>::none();
  *tail = 0;
}

// One frontier vertex: relaxes the arcs to its unsettled heads.
template <class T>
__device__ __forceinline__ void relax_vertex(int u, const Integer* indptr, const int* indices,
                                             const T* weights, const unsigned char* unsettled, T* dist) {
  const T own = dist[u];
  for (Integer arc = indptr[u]; arc < indptr[u + 1]; ++arc) {
    const int v = indices[arc];
    if (unsettled[v]) Length<T>::lower(dist + v, Length<T>::sum(own, weights[arc]));
  }
}

// A thread for every vertex; most have no work (the divergence that queues avoid).
//
// A block owns blockDim.x vertices, a thread one and its arcs.
// Read: flag, unsettled (n), closed (n) or null, arcs (m); written: dist (n) of unsettled vertices,
// threshold, tail. No race: frontier vertices are settled, so their entries are read and not written; lengths
// are lowered by atomics.
template <class T>
__global__ void relax_flagged(const unsigned char* flag, int n, int source, const unsigned char* closed,
                              const Integer* indptr, const int* indices, const T* weights,
                              const unsigned char* unsettled, T* dist, T* threshold, int* tail) {
  const int u = thread_number();
  clear(threshold, tail);
  if (u < n && flag[u] && (u == source || !closed[u]))
    relax_vertex(u, indptr, indices, weights, unsettled, dist);
}

// Figure 5.
//
// A block owns blockDim.x entries of the queue, a thread one of them and its arcs.
// Read: queue (count), unsettled (n), closed (n) or null, arcs (m); written: dist (n) of unsettled vertices,
// threshold, tail. No race: as above.
template <class T>
__global__ void relax_queued(const int* queue, int count, int source, const unsigned char* closed,
                             const Integer* indptr, const int* indices, const T* weights,
                             const unsigned char* unsettled, T* dist, T* threshold, int* tail) {
  const int i = thread_number();
  clear(threshold, tail);
  if (i < count && (queue[i] == source || !closed[queue[i]]))
    relax_vertex(queue[i], indptr, indices, weights, unsettled, dist);
}

// Predecessors, which the paper leaves out: the frontier vertex from which a length was computed.
//
// A block owns blockDim.x vertices, a thread one and its arcs; a vertex is in the frontier if settled[u] is
// `round`. Read: settled, dist (n), arcs (m); written: pred (n) of unsettled vertices. Harmless race: if
// several predecessors are correct, any of them may be stored; all were settled before the vertex.
template <class T>
__global__ void record(const int* settled, int round, int n, int source, const unsigned char* closed,
                       const Integer* indptr, const int* indices, const T* weights,
                       const unsigned char* unsettled, const T* dist, int* pred) {
  const int u = thread_number();
  if (u >= n || settled[u] != round || (u != source && closed[u])) return;
  for (Integer arc = indptr[u]; arc < indptr[u + 1]; ++arc) {
    const int v = indices[arc];
    const T length = Length<T>::sum(dist[u], weights[arc]);
    if (unsettled[v] && length < Length<T>::none() && length == dist[v]) pred[v] = u;
  }
}

// Delta of Crauser and Ortega-Arranz: the minimum of dist + shortest arc out, over unsettled vertices.
//
// A block owns 256 vertices, a thread one; the block reduces in shared memory.
// Read: unsettled, dist, least (n); written: threshold (1), which the relaxation set to "no path".
// No race: barriers lie between the halvings; blocks are combined by an atomic.
template <class T>
__global__ void minimum(int n, const unsigned char* unsettled, const T* dist, const T* least, T* threshold) {
  __shared__ T part[256];
  const int u = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = u < n && unsettled[u] ? Length<T>::sum(dist[u], least[u]) : Length<T>::none();
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half && part[threadIdx.x + half] < part[threadIdx.x])
      part[threadIdx.x] = part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0 && part[0] < Length<T>::none()) Length<T>::lower(threshold, part[0]);
}

// The frontier as flags; prefix sums are computed from them.
//
// A block owns blockDim.x vertices, a thread one. Read: dist, threshold; written: flag, unsettled, settled
// (n). With `settle` = 0 only flags are written. No race: a thread accesses only its own entries.
template <class T>
__global__ void update_flags(int n, const T* dist, const T* threshold, int round, int settle,
                             unsigned char* unsettled, unsigned char* flag, int* settled) {
  const int u = thread_number();
  if (u >= n) return;
  const bool in = unsettled[u] && dist[u] < Length<T>::none() && dist[u] <= *threshold;
  flag[u] = in;
  if (in && settle) {
    unsettled[u] = 0;
    settled[u] = round;
  }
}

// Figure 6: the frontier as a queue filled by atomics.
//
// A block owns blockDim.x vertices, a thread one.
// Read: dist, threshold; written: unsettled, settled (n), queue (n), its length tail.
// No race: a thread accesses only its own vertex; places in the queue are assigned by an atomic.
template <class T>
__global__ void update_queue(int n, const T* dist, const T* threshold, int round, unsigned char* unsettled,
                             int* settled, int* queue, int* tail) {
  const int u = thread_number();
  if (u >= n || !unsettled[u] || !(dist[u] < Length<T>::none()) || dist[u] > *threshold) return;
  unsettled[u] = 0;
  settled[u] = round;
  queue[atomicAdd(tail, 1)] = u;
}

// Figure 7: the frontier as a queue whose places are prefix sums of the flags.
//
// A block owns blockDim.x vertices, a thread one.
// Read: flag, prefix_sum (n); written: unsettled, settled (n), queue (n), its length tail.
// No race: sums (up to and with the vertex) of flagged vertices differ.
__global__ void update_prefix(int n, const unsigned char* flag, const int* prefix_sum, int round,
                              unsigned char* unsettled, int* settled, int* queue, int* tail) {
  const int u = thread_number();
  if (u == n - 1) *tail = prefix_sum[u];
  if (u >= n || !flag[u]) return;
  unsettled[u] = 0;
  settled[u] = round;
  queue[prefix_sum[u] - 1] = u;
}

// A row in the original weights.
//
// A block owns blockDim.x vertices, a thread one. Read: dist, height (n); written: row (n).
// No race: a thread writes only its own entry.
template <class T>
__global__ void take_back(int n, int source, const T* dist, const T* height, T* row) {
  const int v = thread_number();
  if (v < n) row[v] = dist[v] < Length<T>::none() ? dist[v] - height[source] + height[v] : Length<T>::none();
}

}  // namespace apsp
