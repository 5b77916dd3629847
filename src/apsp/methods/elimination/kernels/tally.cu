// Numbers computed from lines of distances, one source per lane, as reduce.cu computes them from rows.
#include "row_numbers.cuh"

namespace apsp {

constexpr int kLinesAtOnce = 8;

// What is known of a lane, or of a part of it: as RowNumbers without the least distance.
template <class T>
struct LaneNumbers {
  long long reached;
  typename SumOf<T>::Type total;
  double reciprocals;
  T largest;
  int farthest;
};

// The numbers of parts of lanes, (parts, lanes) each.
template <class T>
struct PartNumbers {
  long long* reached;
  typename SumOf<T>::Type* total;
  double* reciprocals;
  T* largest;
  int* farthest;

  __device__ __forceinline__ void write(long long at, const LaneNumbers<T>& numbers) const {
    reached[at] = numbers.reached;
    total[at] = numbers.total;
    reciprocals[at] = numbers.reciprocals;
    largest[at] = numbers.largest;
    farthest[at] = numbers.farthest;
  }
  __device__ __forceinline__ LaneNumbers<T> read(long long at) const {
    return {reached[at], total[at], reciprocals[at], largest[at], farthest[at]};
  }
};

// Running numbers of a lane. The vertex at the largest distance has the smallest number among those.
template <class T>
struct Tally {
  int reached = 0, farthest = -1;
  T largest = Range<T>::kLeast;
  typename SumOf<T>::Type total = 0;
  double total_error = 0, reciprocals = 0, reciprocals_error = 0;

  __device__ __forceinline__ void compare(T distance, int vertex) {
    if (farthest < 0 || distance > largest || (distance == largest && vertex < farthest)) {
      largest = distance;
      farthest = vertex;
    }
  }

  // Adds the lane's values of kCount lines, which are those of `vertices`.
  template <int kCount>
  __device__ __forceinline__ void add(const T* lane, long long stride, const int* vertices) {
    T distances[kCount];
#pragma unroll
    for (int u = 0; u < kCount; ++u) distances[u] = lane[u * stride];
    double inverse = 0;
    T most = Range<T>::kLeast;
#pragma unroll
    for (int u = 0; u < kCount; ++u) {
      const bool found = has_path(distances[u]);
      reached += found;
      inverse += reciprocal(distances[u]);
      most = larger(most, found ? distances[u] : Range<T>::kLeast);
      if constexpr (!kIsFloat<T>)
        total += found ? distances[u] : T(0);
      else if (found)
        add_compensated(total, total_error, distances[u]);
    }
    add_compensated(reciprocals, reciprocals_error, inverse);
    if (most < largest) return;  // as of most lines
#pragma unroll
    for (int u = 0; u < kCount; ++u)
      if (has_path(distances[u])) compare(distances[u], vertices[u]);
  }

  __device__ __forceinline__ LaneNumbers<T> numbers() const {
    if (reached == 0) return {0, 0, 0.0, T(0), -1};
    auto sum = total;
    if constexpr (kIsFloat<T>) sum = compensated(total, total_error);
    return {reached, sum, compensated(reciprocals, reciprocals_error), largest, farthest};
  }
};

// For each lane, and each of gridDim.y parts of the lines: the numbers that reduce.cu computes for a row.
//
// A thread owns a lane in one part. Read: lines (count, lanes), vertices (count,) whose lines they are.
// Written: parts (gridDim.y, lanes). No race: each entry has one writer.
template <class T>
__global__ void tally_lines(const T* lines, long long stride, int count, int lanes, const int* vertices,
                            PartNumbers<T> parts) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  const int length = (count + gridDim.y - 1) / gridDim.y;
  int i = min(static_cast<int>(blockIdx.y) * length, count);
  const int to = min(i + length, count);
  Tally<T> mine;
  for (; i + kLinesAtOnce <= to; i += kLinesAtOnce)
    mine.template add<kLinesAtOnce>(lines + i * stride + lane, stride, vertices + i);
  for (; i < to; ++i) mine.template add<1>(lines + i * stride + lane, stride, vertices + i);
  parts.write(static_cast<long long>(blockIdx.y) * lanes + lane, mine.numbers());
}

// Joins the parts of each lane, in order.
//
// A thread owns a lane. Read: parts (count, lanes). Written: joined (lanes,). No race: a lane has one thread.
template <class T>
__global__ void join_parts(int count, int lanes, PartNumbers<T> parts, PartNumbers<T> joined) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  LaneNumbers<T> all{0, 0, 0.0, T(0), -1};
#pragma unroll 8
  for (int part = 0; part < count; ++part) {
    const LaneNumbers<T> other = parts.read(static_cast<long long>(part) * lanes + lane);
    all.reached += other.reached;
    all.total += other.total;
    all.reciprocals += other.reciprocals;
    const bool farther = all.farthest < 0 || other.largest > all.largest ||
                         (other.largest == all.largest && other.farthest < all.farthest);
    if (other.farthest >= 0 && farther) {
      all.largest = other.largest;
      all.farthest = other.farthest;
    }
  }
  joined.write(lane, all);
}

}  // namespace apsp
