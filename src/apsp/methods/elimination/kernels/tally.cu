// Numbers computed from lines of distances, one source per lane, as reduce.cu computes them from rows.
#include "row_numbers.cuh"

namespace apsp {

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
// A thread owns a lane in one part. Read: lines (count, lanes), vertices (count,) whose lines they are.
// Written: parts (gridDim.y, lanes). No race: each entry has one writer.
template <class T>
__global__ void tally_lines(const T* lines, long long stride, int count, int lanes, const int* vertices,
                            PartNumbers<T> parts) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  const int length = (count + gridDim.y - 1) / gridDim.y;
  const int from = blockIdx.y * length, to = min(from + length, count);
  RowNumbers<T> mine{0, 0, 0.0, T(0), T(0), -1};
  double total_error = 0, reciprocals_error = 0;
#pragma unroll 4
  for (int i = from; i < to; ++i) {
    const T distance = lines[i * stride + lane];
    if (!has_path(distance)) continue;
    mine.reached += 1;
    if constexpr (kIsFloat<T>)
      add_compensated(mine.total, total_error, distance);
    else
      mine.total += distance;
    add_compensated(mine.reciprocals, reciprocals_error, reciprocal(distance));
    if (mine.farthest < 0 || distance < mine.least) mine.least = distance;
    const int vertex = vertices[i];
    if (mine.farthest < 0 || distance > mine.largest ||
        (distance == mine.largest && vertex < mine.farthest)) {
      mine.largest = distance;
      mine.farthest = vertex;
    }
  }
  if constexpr (kIsFloat<T>) mine.total = compensated(mine.total, total_error);
  mine.reciprocals = compensated(mine.reciprocals, reciprocals_error);
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
