// Distances of pairs from labels: those from the source of a pair to all vertices above it in the elimination
// tree, and those to the target. A shortest path has its highest point in a supernode above both (Strasser
// and Wagner 2015, "Customizable contraction hierarchies", section 6).
#include "lines.cuh"

namespace apsp {

// One side of the pairs: the place and the lane of each, and the labels of the lanes, closed.
template <class T>
struct Side {
  const int *places, *lanes;
  const Span* spans;
  const T* labels;
};

// dist[i] = the distance of pair i.
//
// A warp owns a pair, a thread every 32nd column of the supernodes above both. Read: places, lanes and labels
// of both sides, the tree: owner (n,) of a place, parents and nodes (supernodes,), a parent after its
// children. Written: dist (count,), public values. No race: an entry has one writer.
template <class T>
__global__ void __launch_bounds__(256)
    meet_labels(Side<T> source, Side<T> target, long long count, const int* owner, const int* parents,
                const Node* nodes, T ceiling, T* dist) {
  using Sum = typename WideSum<T>::Type;
  const long long i = static_cast<long long>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
  if (i >= count) return;
  int one = owner[source.places[i]], other = owner[target.places[i]];
  while (one != other && one >= 0 && other >= 0)
    if (one < other)
      one = parents[one];
    else
      other = parents[other];
  Sum best = ceiling;
  for (int s = one == other ? one : -1; s >= 0; s = parents[s]) {
    const Span from = source.spans[s], to = target.spans[s];
    const T* out = source.labels + from.start + source.lanes[i] - from.first();
    const T* in = target.labels + to.start + target.lanes[i] - to.first();
    const int columns = nodes[s].columns;
    for (int c = threadIdx.x % 32; c < columns; c += 32) {
      const Sum sum = static_cast<Sum>(out[static_cast<long long>(c) * from.width]) +
                      static_cast<Sum>(in[static_cast<long long>(c) * to.width]);
      best = sum < best ? sum : best;
    }
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const Sum theirs = __shfl_xor_sync(0xffffffffu, best, step);
    best = theirs < best ? theirs : best;
  }
  if (threadIdx.x % 32 != 0) return;
  if (best < Sum(0) && source.places[i] == target.places[i])
    best = 0;  // rounding: there is no negative cycle
  dist[i] = best < Sum(ceiling) ? static_cast<T>(best) : Range<T>::kMost;
}

}  // namespace apsp
