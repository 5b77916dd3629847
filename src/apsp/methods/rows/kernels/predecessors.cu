// Predecessors from final distances (n, n) of (min,+) in public values, given the tight arcs by head.
#include "dense_arcs.cuh"

namespace apsp {

template <class T>
__device__ __forceinline__ bool has_path(T distance) {
  return distance != Range<T>::kMost;
}

// Floats may have been added in any order: an arc this close is a last arc up to rounding.
template <class T>
__device__ __forceinline__ T closeness() {
  return 64 * Range<T>::kEpsilon;
}

// A sum that cannot wrap to a valid distance: integer distances and lengths stay below a quarter of the
// range.
template <class T>
__device__ __forceinline__ auto sum_of(T from, T weight) {
  if constexpr (kIsFloat<T>)
    return from + weight;
  else if constexpr (sizeof(T) == 8)
    return static_cast<T>(static_cast<unsigned long long>(from) + static_cast<unsigned long long>(weight));
  else if constexpr (sizeof(T) == 4)
    return static_cast<T>(static_cast<unsigned>(from) + static_cast<unsigned>(weight));
  else
    return int(from) + int(weight);
}

// 32 rows interleaved, one line per vertex: lines[group][v][lane] = dist[32 group + lane][v].
//
// A block owns a 32 x 32 tile, a thread 4 of its entries. Read: dist (rows, n). Written: lines (groups, n,
// 32), "no path" in the lanes beyond the last row. No race: a barrier lies between the shared tile's two
// uses.
template <class T>
__global__ void lines_of_rows(const T* dist, long long stride, int rows, int n, T* lines) {
  __shared__ T tile[32][33];
  const int x = threadIdx.x & 31, y = threadIdx.x >> 5, column = blockIdx.x * 32, first = blockIdx.y * 32;
#pragma unroll
  for (int i = y; i < 32; i += 8)
    tile[i][x] =
        first + i < rows && column + x < n ? dist[(first + i) * stride + column + x] : Range<T>::kMost;
  __syncthreads();
#pragma unroll
  for (int i = y; i < 32; i += 8)
    if (column + i < n) lines[(static_cast<long long>(blockIdx.y) * n + column + i) * 32 + x] = tile[x][i];
}

// The predecessor of one head in one lane: exact for integers, the smallest sum over nearer tails for floats,
// unless another tail has a smaller one (its distance is not smaller than that of the head by rounding): such
// heads are handled later.
template <class T>
struct Answer {
  T own;
  bool open;
  int pred = -1;
  T best = Range<T>::kMost, rival = Range<T>::kMost;  // the smallest sums over nearer and other tails

  __device__ __forceinline__ void look(int tail, T weight, T from) {
    if constexpr (kIsFloat<T>) {
      const T sum = from + weight;
      if (tail >= 0 && sum < best) {
        if (from < own) {
          best = sum;
          pred = tail;
        } else {
          rival = smaller(rival, sum);
        }
      }
    } else if (pred < 0 && sum_of(from, weight) == own) {
      pred = tail;  // still -1, or less, if the arc may only be the first
    }
  }
  __device__ __forceinline__ bool is_done() const {
    if constexpr (kIsFloat<T>) return !open || best <= own;
    return !open || pred >= 0;
  }
  __device__ __forceinline__ int result() const {
    if (!open) return -1;
    if constexpr (kIsFloat<T>)
      return best <= own || (best <= rival && best <= own + own * closeness<T>()) ? pred : -1;
    return max(pred, -1);
  }
};

// Up to 32 arcs of a list, one per lane; beyond the end the last one is repeated, which does not change the
// result.
template <class T>
struct Arcs {
  int tail;
  T weight;

  __device__ __forceinline__ void load(const int* tails, const T* weights, long long from, long long end) {
    const long long at = min(from + (threadIdx.x & 31), end - 1);
    tail = from < end ? tails[at] : 0;
    weight = from < end ? weights[at] : T(0);
  }
  // The predecessor of each lane from these arcs; the distances to a tail are one line of the warp's rows.
  __device__ __forceinline__ void offer(Answer<T>& answer, const T* group, int count) const {
    constexpr int kTogether = 8;
    for (int k = 0; k < count && !__all_sync(0xffffffffu, answer.is_done()); k += kTogether) {
      T from[kTogether];
#pragma unroll
      for (int j = 0; j < kTogether; ++j) {
        const int u = __shfl_sync(0xffffffffu, tail, k + j);
        from[j] = group[(u < 0 ? ~u : u) * 32ll];
      }
#pragma unroll
      for (int j = 0; j < kTogether; ++j)
        answer.look(__shfl_sync(0xffffffffu, tail, k + j), __shfl_sync(0xffffffffu, weight, k + j), from[j]);
    }
  }
};

constexpr int kHeads = 64, kHeadsOfWarp = 8;  // of a block, and of each of its 8 warps

// pred[i, v] = the tail of a tight arc with dist[i, tail] + weight == dist[i, v] that leads away from
// sources[i], -1 at the source and where there is no path; lacking[i] = 1 if some v has none yet.
//
// A block owns 32 rows and 64 heads; a warp takes its 8 heads one after another, a lane owns one of the rows.
// A tight arc from the source itself is found by its bit; the list of the head is searched only for other
// pairs. Read: lines (groups, n, 32): a line is one access of the warp; sources (rows,); bits (n, words); the
// lists by head of all tight arcs, 32 entries at a time. Written: pred (rows, n), through a shared tile. No
// race: each entry has one writer; all writers of lacking[i] write the same.
template <class T>
__global__ void __launch_bounds__(256, sizeof(T) == 8 ? 3 : 4)
    nearer_tails(const T* lines, int rows, int n, const int* sources, const unsigned* bits, int words,
                 const long long* start, const int* tails, const T* weights, int* pred, long long pred_stride,
                 unsigned char* lacking) {
  __shared__ int found[32][kHeads + 1];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, row = blockIdx.y * 32 + lane;
  const int first = blockIdx.x * kHeads + warp * kHeadsOfWarp, last = min(first + kHeadsOfWarp, n);
  const int source = row < rows ? sources[row] : -1;
  const unsigned direct =
      row < rows && first < n ? bits[static_cast<long long>(source) * words + first / 32] >> (first & 31) : 0;
  const T* group = lines + static_cast<long long>(blockIdx.y) * n * 32 + lane;
  bool lacks = false;
  Arcs<T> arcs, next;
  T own, next_own;
  long long from = 0, end = 0, next_end = 0;
  if (first < last) {
    from = start[first];
    next_end = start[first + 1];
    next.load(tails, weights, from, next_end);
    next_own = group[first * 32ll];
  }
  for (int head = first; head < last; ++head) {  // the arcs of the next head are loaded meanwhile
    arcs = next;
    own = next_own;
    end = next_end;
    if (head + 1 < last) {
      next_end = start[head + 2];
      next.load(tails, weights, end, next_end);
      next_own = group[(head + 1) * 32ll];
    }
    Answer<T> answer;
    answer.own = own;
    const bool known = (direct >> (head - first)) & 1;
    answer.open = row < rows && head != source && !known && has_path(own);
    arcs.offer(answer, group, static_cast<int>(min(end - from, 32ll)));
    for (from += 32; from < end && !__all_sync(0xffffffffu, answer.is_done()); from += 32) {
      arcs.load(tails, weights, from, end);
      arcs.offer(answer, group, static_cast<int>(min(end - from, 32ll)));
    }
    from = end;
    const int before = known ? source : answer.result();
    lacks = lacks || (answer.open && before < 0);
    found[lane][head - blockIdx.x * kHeads] = before;
  }
  if (lacks) lacking[row] = 1;
  __syncthreads();
  for (int i = warp; i < 32 && blockIdx.y * 32 + i < rows; i += 8)
    for (int x = lane; x < kHeads && blockIdx.x * kHeads + x < n; x += 32)
      pred[(static_cast<long long>(blockIdx.y) * 32 + i) * pred_stride + blockIdx.x * kHeads + x] =
          found[i][x];
}

// Completes rows in which some vertices are only reached by arcs that do not lead away from the source (of
// length zero, or lost in rounding). Vertices are added in rounds, each through a vertex that was added in an
// earlier round and is not farther: so (distance, round) increases along every chain, and there is no cycle.
// For floats, sums that are equal to the distance are used first; after these, the smallest sum within one
// machine epsilon, 2, 4, ..., so that no arc is used far beyond the error that rounding forces. lacking[i]
// stays 1 if no tight arc reaches some vertex.
//
// A block owns one of the listed rows. A thread owns every 256th vertex of it.
// Read: dist (rows, n), sources (rows,), the lists by head. Written: the row of pred; while a round runs, -2
// - tail marks the vertices that are added in it. No race: a thread that reads a mark, or the -1 before it,
// treats the vertex as incomplete.
template <class T>
__global__ void join_in_rounds(const T* dist, long long stride, int n, const int* sources, const int* listed,
                               const long long* start, const int* tails, const T* weights, const bool* closed,
                               int* pred, long long pred_stride, unsigned char* lacking) {
  const int row = listed[blockIdx.x], source = sources[row];
  const T* from = dist + row * stride;
  volatile int* before = pred + row * pred_stride;
  int left = 0;
  T room = 0;
  for (bool go_on = true; go_on;) {
    left = 0;
    bool joined = false;
    for (int v = threadIdx.x; v < n; v += blockDim.x) {
      if (before[v] != -1 || v == source || !has_path(from[v])) continue;
      const T own = from[v];
      int found = -1;
      auto best = sum_of(own, T(0));
      bool equal = false;
      for (long long arc = start[v]; arc < start[v + 1] && !equal; ++arc) {
        const int u = tails[arc] < 0 ? ~tails[arc] : tails[arc];
        if (u != source && (before[u] < 0 || (closed != nullptr && closed[u]))) continue;
        const auto sum = sum_of(from[u], weights[arc]);
        equal = sum == own;
        if constexpr (kIsFloat<T>) {
          equal = equal && from[u] <= own;
          const bool nearer = room > 0 && from[u] <= own && fabs(sum - own) <= room * fabs(own);
          if (!equal && (!nearer || (found >= 0 && !(sum < best)))) continue;
          best = sum;
        }
        if (equal || kIsFloat<T>) found = u;
      }
      if (found >= 0) {
        before[v] = -2 - found;
        joined = true;
      } else {
        left = 1;
      }
    }
    joined = __syncthreads_or(joined);
    for (int v = threadIdx.x; v < n && joined; v += blockDim.x)
      if (before[v] < -1) before[v] = -2 - before[v];
    left = __syncthreads_or(left);
    go_on = joined;
    if constexpr (kIsFloat<T>) {
      if (!joined) room = room > 0 ? 2 * room : Range<T>::kEpsilon;
      go_on = left != 0 && room <= closeness<T>();
    }
  }
  if (threadIdx.x == 0) lacking[row] = static_cast<unsigned char>(left);
}

}  // namespace apsp
