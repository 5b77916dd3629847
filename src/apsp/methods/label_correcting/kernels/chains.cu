// Distances between all vertices from those between the ends of their chains
// (apsp/methods/label_correcting/chains.py).
#include "semiring.cuh"

namespace apsp {

template <class T>
struct alignas(2 * sizeof(T)) Two {
  T first, second;
};

// The position of each vertex in its chain: arrays (n,).
template <class T>
struct Places {
  const Two<int>* ends;
  const Two<T>*into, *out;
  const Two<int>* runs;
  const int* place;
  const Two<T>* sums;
};

constexpr int kRows = 8;

// A length of the core, or none: sums of three lengths do not wrap.
template <class T, class Out>
__device__ __forceinline__ T through(const Out* core, long long stride, int from, int to, T before, T none) {
  if (from < 0) return none;
  const Out between = core[from * stride + to];
  return between == Range<Out>::kMost ? none : min(before + T(between), none);
}

// Data of a source, besides the location of its rows of the core.
template <class T>
struct Source {
  Two<int> ends, runs;
  Two<T> out, sums;
  int place;
};

// dist[i, j] = the shortest distance from sources[i] to targets[j] (to j, without targets): out of the chain,
// through the core, into the other chain; or inside a chain.
//
// A block owns 8 rows at a time. A thread owns every 256th vertex of the core, then every 256th column. Read:
// core (c, c) in public values, places. Written: dist (rows, columns); near (8, c), in shared memory or in
// the block's part of `scratch`: distances from the sources to the core. No race: a barrier lies between
// writing and reading them.
template <class T, class Out>
__global__ void __launch_bounds__(256, 2)
    expand_chains(Places<T> places, const Out* core, long long core_stride, int core_size, const int* sources,
                  int rows, const int* targets, int columns, T none, T reach, Out* dist, long long stride,
                  T* scratch) {
  extern __shared__ uint4 shared[];
  __shared__ Source<T> of_rows[kRows];
  T* near = scratch == nullptr ? reinterpret_cast<T*>(shared)
                               : scratch + blockIdx.x * kRows * static_cast<long long>(core_size);
  for (int first = blockIdx.x * kRows; first < rows; first += gridDim.x * kRows) {
    const int count = min(kRows, rows - first);
    if (threadIdx.x < count) {
      const int s = sources[first + threadIdx.x];
      of_rows[threadIdx.x] = {places.ends[s], places.runs[s], places.out[s], places.sums[s], places.place[s]};
    }
    __syncthreads();
    for (int c = threadIdx.x; c < core_size; c += blockDim.x)
      for (int r = 0; r < count; ++r) {
        const Source<T>& row = of_rows[r];
        near[r * core_size + c] = min(through(core, core_stride, row.ends.first, c, row.out.first, none),
                                      through(core, core_stride, row.ends.second, c, row.out.second, none));
      }
    __syncthreads();
    for (int j = threadIdx.x; j < columns; j += blockDim.x) {
      const int t = targets == nullptr ? j : targets[j];
      const Two<int> ends = places.ends[t], runs = places.runs[t];
      const Two<T> into = places.into[t], sums = places.sums[t];
      const int place = places.place[t];
      for (int r = 0; r < count; ++r) {
        const Source<T>& row = of_rows[r];
        T best = ends.first < 0 ? none : near[r * core_size + ends.first] + into.first;
        if (ends.second >= 0) best = min(best, near[r * core_size + ends.second] + into.second);
        if (runs.first >= 0 && runs.first == row.runs.first && place >= row.place)
          best = min(best, sums.first - row.sums.first);
        if (runs.second >= 0 && runs.second == row.runs.second && place <= row.place)
          best = min(best, row.sums.second - sums.second);
        dist[(first + r) * stride + j] = best >= none || best > reach ? Range<Out>::kMost : Out(best);
      }
    }
    __syncthreads();
  }
}

}  // namespace apsp
