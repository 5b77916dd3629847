// Numbers computed from lines of distances, one source per lane, as reduce.cu computes them from rows.
#include "row_numbers.cuh"

namespace apsp {

constexpr int kLinesAtOnce = 8;

// The numbers of parts of lanes, (parts, lanes) each.
template <class T>
struct PartNumbers {
  long long* reached;
  typename SumOf<T>::Type* total;
  double* reciprocals;
  T *least, *largest;
  int* farthest;

  __device__ __forceinline__ void write(long long at, const RowNumbers<T>& numbers) const {
    reached[at] = numbers.reached;
    total[at] = numbers.total;
    reciprocals[at] = numbers.reciprocals;
    least[at] = numbers.least;
    largest[at] = numbers.largest;
    farthest[at] = numbers.farthest;
  }
  __device__ __forceinline__ RowNumbers<T> read(long long at) const {
    return {reached[at], total[at], reciprocals[at], least[at], largest[at], farthest[at]};
  }
};

// For each lane, and each of gridDim.y parts of the lines: the numbers that reduce.cu computes for a row.
//
// A thread owns a lane in one part, and reads kLinesAtOnce values of it at a time. Read: lines (count,
// lanes), vertices (count,) whose lines they are. Written: parts (gridDim.y, lanes). No race: each entry has
// one writer.
template <class T>
__global__ void tally_lines(const T* lines, long long stride, int count, int lanes, const int* vertices,
                            PartNumbers<T> parts) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  const int length = (count + gridDim.y - 1) / gridDim.y;
  const int from = blockIdx.y * length, to = min(from + length, count);
  int reached = 0, farthest = 0x7fffffff;
  T least = Range<T>::kMost, largest = Range<T>::kLeast;
  typename SumOf<T>::Type total = 0;
  double reciprocals = 0, total_error = 0, reciprocals_error = 0;
  for (int first = from; first < to; first += kLinesAtOnce) {
    T distances[kLinesAtOnce];
#pragma unroll
    for (int u = 0; u < kLinesAtOnce; ++u)
      distances[u] = first + u < to ? lines[(first + u) * stride + lane] : Range<T>::kMost;
    double of_these = 0;
#pragma unroll
    for (int u = 0; u < kLinesAtOnce; ++u) {
      const T distance = distances[u];
      of_these += reciprocal(distance);
      if (!has_path(distance)) continue;
      reached += 1;
      if constexpr (kIsFloat<T>)
        add_compensated(total, total_error, distance);
      else
        total += distance;
      least = smaller(distance, least);
      const int vertex = vertices[first + u];
      if (distance > largest || (distance == largest && vertex < farthest)) {
        largest = distance;
        farthest = vertex;
      }
    }
    add_compensated(reciprocals, reciprocals_error, of_these);
  }
  if constexpr (kIsFloat<T>) total = compensated(total, total_error);
  RowNumbers<T> mine{0, 0, 0.0, T(0), T(0), -1};
  if (reached > 0)
    mine = {reached, total, compensated(reciprocals, reciprocals_error), least, largest, farthest};
  parts.write(static_cast<long long>(blockIdx.y) * lanes + lane, mine);
}

// Joins the parts of each lane, in order.
//
// A thread owns a lane. Read: parts (count, lanes). Written: joined (lanes,). No race: a lane has one thread.
template <class T>
__global__ void join_parts(int count, int lanes, PartNumbers<T> parts, PartNumbers<T> joined) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  RowNumbers<T> all = parts.read(lane);
  for (int part = 1; part < count; ++part) all.add(parts.read(static_cast<long long>(part) * lanes + lane));
  joined.write(lane, all);
}

}  // namespace apsp
