// Numbers computed from rows of distances in device memory, in public values.
#include "row_numbers.cuh"

namespace apsp {

constexpr int kReducers = 256;

// For each row: the number of columns that are reached, the sums of their distances and of the reciprocals,
// the extremes, and the first column at the largest distance.
//
// A block owns a row, a thread every 256th column. Read: dist (rows, n). Written: (rows,) each; 0, and -1 for
// the column, if no other is reached. No race: parts are joined in shared memory, always in the same order.
template <class T>
__global__ void __launch_bounds__(kReducers)
    reduce_rows(const T* dist, long long stride, int n, long long* reached, typename SumOf<T>::Type* total,
                double* reciprocals, T* least, T* largest, int* farthest) {
  __shared__ RowNumbers<T> parts[kReducers];
  const T* row = dist + blockIdx.x * stride;
  RowNumbers<T> mine{0, 0, 0.0, T(0), T(0), -1};
  double total_error = 0, reciprocals_error = 0;
  for (int v = threadIdx.x; v < n; v += kReducers) {
    const T distance = row[v];
    if (!has_path(distance)) continue;
    mine.reached += 1;
    if constexpr (kIsFloat<T>)
      add_compensated(mine.total, total_error, distance);
    else
      mine.total += distance;
    add_compensated(mine.reciprocals, reciprocals_error, reciprocal(distance));
    if (mine.farthest < 0 || distance < mine.least) mine.least = distance;
    if (mine.farthest < 0 || distance > mine.largest) {
      mine.largest = distance;
      mine.farthest = v;
    }
  }
  if constexpr (kIsFloat<T>) mine.total = compensated(mine.total, total_error);
  mine.reciprocals = compensated(mine.reciprocals, reciprocals_error);
  parts[threadIdx.x] = mine;
  for (int half = kReducers / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x].add(parts[threadIdx.x + half]);
  }
  if (threadIdx.x > 0) return;
  reached[blockIdx.x] = parts[0].reached;
  total[blockIdx.x] = parts[0].total;
  reciprocals[blockIdx.x] = parts[0].reciprocals;
  least[blockIdx.x] = parts[0].least;
  largest[blockIdx.x] = parts[0].largest;
  farthest[blockIdx.x] = parts[0].farthest;
}

// Adds the rows of a block to running sums of the columns, row by row with Neumaier's compensation (1974).
//
// A thread owns a column. Read: dist (rows, n). Written: (n,) each. No race: a column has one writer.
template <class T>
__global__ void reduce_columns(const T* dist, long long stride, int rows, int n, long long* reached,
                               typename SumOf<T>::Type* total, double* total_error, double* reciprocals,
                               double* reciprocals_error) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n) return;
  long long count = reached[column];
  auto sum = total[column];
  double sum_error = total_error[column], inverse = reciprocals[column],
         inverse_error = reciprocals_error[column];
  for (int row = 0; row < rows; ++row) {
    const T distance = dist[row * stride + column];
    count += has_path(distance);
    if constexpr (kIsFloat<T>)
      add_compensated(sum, sum_error, has_path(distance) ? static_cast<double>(distance) : 0.0);
    else
      sum += has_path(distance) ? static_cast<long long>(distance) : 0;
    add_compensated(inverse, inverse_error, reciprocal(distance));
  }
  reached[column] = count;
  total[column] = sum;
  total_error[column] = sum_error;
  reciprocals[column] = inverse;
  reciprocals_error[column] = inverse_error;
}

}  // namespace apsp
