// The nearest vertices of each row of distances, where the rows lie, in public values.
#include "radix_select.cuh"
#include "wide_row.cuh"

namespace apsp {

constexpr int kCandidates = 2048;  // in shared memory: at least 5/4 of `wanted`
constexpr int kAhead = 4;     // vectors that a thread loads at a time; their values fit the bits of a word
constexpr int kSparsely = 8;  // long rows, small k: the first bound is taken from every 8th 128 bytes
constexpr int kVectorsTogether = 8;

// Places of a row that may be among the nearest, in any order until they are sorted. In shared memory.
template <class T>
struct Candidates {
  using Key = typename Ordered<T>::Key;
  Key keys[kCandidates];
  unsigned columns[kCandidates];
  int count;

  __device__ __forceinline__ Bound<Key> at(int i) const { return {keys[i], columns[i]}; }
  __device__ __forceinline__ void put(int i, const Bound<Key>& place) {
    keys[i] = place.key;
    columns[i] = place.column;
  }
  __device__ __forceinline__ void swap(int i, int j) {
    const Bound<Key> first = at(i);
    put(i, at(j));
    put(j, first);
  }
};

// The largest key of a candidate, and the largest column of a candidate with exactly this key.
template <class T>
struct Reach {
  using Order = typename Ordered<T>::Order;
  Order farthest;
  int column;
  __device__ __forceinline__ bool takes(Order distance, int at) const {
    return distance < farthest || (distance == farthest && at <= column);
  }
};

template <class T>
__device__ __forceinline__ Reach<T> reach_of(const Bound<typename Ordered<T>::Key>& bound) {
  if (bound.key >= Ordered<T>::key(Ordered<T>::kNoPath)) return {Ordered<T>::kNoPath, Range<int>::kLeast};
  return {Ordered<T>::order_of_key(bound.key),
          static_cast<int>(bound.column & ~(1u << 31))};  // all columns are below this bit
}

// A bound on the nearest: at least wanted + 1 of the minima do not exceed it (one may be the source), each of
// them over a part of the row.
template <class T>
__device__ __forceinline__ Reach<T> first_reach(const WideRow<T>& row, int wanted, Digits& digits) {
  using Order = typename Ordered<T>::Order;
  using Key = typename Ordered<T>::Key;
  constexpr int kWidth = WideRow<T>::kWidth;
  int skip = kSparsely;
  while (skip > 1 && (skip * wanted > kCandidates / 4 || row.vectors < 8 * skip * (wanted + 1))) skip /= 2;
  const int sample = skip > 1 ? row.vectors / (skip * kVectorsTogether) * kVectorsTogether : row.vectors;
  Order least[kAhead];
  int last[kAhead];  // the last column of the vector that contains the minimum: at least its column
#pragma unroll
  for (int u = 0; u < kAhead; ++u) least[u] = Ordered<T>::kNoPath;
  for (int first = threadIdx.x; first < sample; first += kAhead * blockDim.x) {
    Vector<T> values[kAhead];
    int columns[kAhead];
#pragma unroll
    for (int u = 0; u < kAhead; ++u) {
      const int i = first + u * blockDim.x, within = i % kVectorsTogether;
      const int vector = i < sample ? (i - within) * skip + within : row.vectors;
      columns[u] = row.column(vector);
      values[u] = row.load(vector);
    }
#pragma unroll
    for (int u = 0; u < kAhead; ++u) {
      Order low = least[u];
#pragma unroll
      for (int j = 0; j < kWidth; ++j) low = smaller(low, Ordered<T>::order(values[u].at(j)));
      if (low < least[u]) {
        least[u] = low;
        last[u] = columns[u] + kWidth - 1;
      }
    }
  }
  auto each = [&](auto&& visit) {
#pragma unroll
    for (int u = 0; u < kAhead; ++u)
      if (least[u] != Ordered<T>::kNoPath)
        visit(Bound<Key>{Ordered<T>::key(least[u]), static_cast<unsigned>(last[u])});
  };
  return reach_of<T>(bound_of<T>(each, wanted + 1, wanted + 1 + wanted / 2, row.n + kWidth, digits));
}

// Keeps only the nearest candidates: at least `wanted` and at most `most`.
template <class T>
__device__ __forceinline__ Reach<T> thin_out(Candidates<T>& found, int wanted, int most, int columns,
                                             Digits& digits) {
  using Key = typename Ordered<T>::Key;
  const int count = min(found.count, kCandidates);
  const Bound<Key> bound = bound_of<T>(
      [&](auto&& visit) {
        for (int i = threadIdx.x; i < count; i += blockDim.x) visit(found.at(i));
      },
      wanted, most, columns, digits);
  if (threadIdx.x == 0) found.count = 0;  // all have read it
  for (int first = 0; first < count; first += blockDim.x) {
    const int i = first + threadIdx.x;
    const Bound<Key> own = i < count ? found.at(i) : Bound<Key>{0, 0};
    __syncthreads();  // candidates stay or move down
    if (i < count && !bound.before(own)) found.put(atomicAdd(&found.count, 1), own);
  }
  __syncthreads();
  return reach_of<T>(bound);
}

// The places of a row that may be among the nearest: at least `wanted`, or all if there are fewer.
template <class T>
__device__ __forceinline__ void collect(const WideRow<T>& row, int source, int wanted, Reach<T> reach,
                                        Candidates<T>& found, Digits& digits) {
  constexpr int kWidth = WideRow<T>::kWidth;
  if (threadIdx.x == 0) found.count = 0;
  __syncthreads();
  for (int chunk = 0; chunk < row.vectors; chunk += kAhead * blockDim.x) {
    const int first = chunk + threadIdx.x;
    Vector<T> values[kAhead];
#pragma unroll
    for (int u = 0; u < kAhead; ++u) values[u] = row.load(min(first + u * int(blockDim.x), row.vectors));
    unsigned waiting = 0;
#pragma unroll
    for (int u = 0; u < kAhead; ++u) {
      const int column = row.column(first + u * blockDim.x);
#pragma unroll
      for (int j = 0; j < kWidth; ++j)
        waiting |= static_cast<unsigned>(reach.takes(Ordered<T>::order(values[u].at(j)), column))
                   << (u * kWidth + j);
    }
    for (;;) {
      unsigned left = 0;
      while (waiting != 0) {
        const int bit = __ffs(waiting) - 1;
        const int column = row.column(first + bit / kWidth * blockDim.x) + bit % kWidth;
        const auto distance = Ordered<T>::order(row.begin[column]);
        waiting &= waiting - 1;
        if (column == source || !reach.takes(distance, column)) continue;
        const int slot = atomicAdd(&found.count, 1);
        if (slot < kCandidates)
          found.put(slot, {Ordered<T>::key(distance), static_cast<unsigned>(column)});
        else
          left |= 1u << bit;
      }
      if (!__syncthreads_or(left != 0)) break;
      reach = thin_out(found, wanted, (wanted + kCandidates) / 2, row.n, digits);
      waiting = left;
    }
  }
}

// Bitonic sort (Batcher 1968) of all candidates.
template <class T>
__device__ __forceinline__ void sort(Candidates<T>& found) {
  const int count = found.count;
  int length = 1;
  while (length < count) length *= 2;
  for (int i = count + threadIdx.x; i < length; i += blockDim.x) found.put(i, {Ordered<T>::kAll, ~0u});
  for (int run = 2; run <= length; run *= 2)
    for (int by = run / 2; by > 0; by /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < length / 2; i += blockDim.x) {
        const int low = 2 * i - (i & (by - 1)), high = low + by;
        const bool descends = (low & run) != 0;
        if (descends ? found.at(low).before(found.at(high)) : found.at(high).before(found.at(low)))
          found.swap(low, high);
      }
    }
  __syncthreads();
}

// For each row: its nearest columns except the source, nearest first, of equally near ones the smaller first;
// then -1 and "no path".
//
// A block owns a row. A thread owns every blockDim.x-th vector of 16 bytes, and then some of the candidates.
// Read: dist (rows, n), at most twice; sources (rows,). Written: vertices and distances (rows, k).
// No race: candidates are written to shared memory between barriers, in slots drawn from a counter. Their
// order there varies; the sorted order does not, since no two are equal.
template <class T>
__global__ void __launch_bounds__(512, 2)
    nearest(const T* dist, long long stride, int n, const int* sources, int k, int* vertices, T* distances) {
  __shared__ Digits digits;
  __shared__ Candidates<T> found;
  const WideRow<T> row(dist + blockIdx.x * stride, n);
  const int wanted = min(k, n);
  collect(row, sources[blockIdx.x], wanted, first_reach(row, wanted, digits), found, digits);
  int length = 32;
  while (length < wanted) length *= 2;
  if (found.count > 2 * length) thin_out(found, wanted, length, n, digits);
  sort(found);
  const long long at = static_cast<long long>(blockIdx.x) * k;
  for (int place = threadIdx.x; place < k; place += blockDim.x) {
    const bool is_there = place < wanted && place < found.count;
    const int column = is_there ? static_cast<int>(found.columns[place]) : -1;
    vertices[at + place] = column;
    distances[at + place] = is_there ? row.begin[column] : Range<T>::kMost;
  }
}

}  // namespace apsp
