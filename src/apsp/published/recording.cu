// The recording kernel of Okuyama, Ino and Hagihara, section 5.3. Entry (v, s) lies at v * tasks + s.
namespace apsp {

// Pa[v, s] = a direct predecessor u of v with Ca[u, s] + w(u, v) == Ca[v, s]; -1 at the source and where
// there is no path. If that arc does not lengthen the path (length zero, or lost in rounding), u must have a
// parent or be the source, so that parents never form a cycle. `lacking` is set if some vertex has to wait
// for another launch.
//
// A block owns 256 entries, a thread one of them: a vertex in one of the problems. Read: the inverted graph,
// start (n + 1,), tails (m,), lengths (m,); Ca = costs (n, tasks); first (tasks,), the sources, -1 for none.
// Written: Pa = parents (n, tasks), -1 before the first launch. No race: an entry belongs to its thread, and
// the parent of another vertex is final once it is set; if a thread does not see it yet, it will in the next
// launch.
template <class T>
__global__ void record_parents(const long long* start, const int* tails, const T* lengths, int n, int tasks,
                               const int* first, const T* costs, T no_path, volatile int* parents,
                               int* lacking) {
  const long long own = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (own >= static_cast<long long>(n) * tasks) return;
  const int v = static_cast<int>(own / tasks), s = static_cast<int>(own % tasks), source = first[s];
  const T cost = costs[own];
  if (parents[own] >= 0 || v == source || cost == no_path) return;
  for (long long i = start[v]; i < start[v + 1]; ++i) {
    const int u = tails[i];
    const long long at = static_cast<long long>(u) * tasks + s;
    const T before = costs[at];
    if (before + lengths[i] != cost || before == no_path) continue;
    if (before < cost || u == source || parents[at] >= 0) {
      parents[own] = u;
      return;
    }
  }
  *lacking = 1;
}

}  // namespace apsp
