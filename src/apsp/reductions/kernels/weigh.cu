// Sums of amounts over rows of distances in device memory, in public values.
#include "weighing.cuh"
#include "wide_row.cuh"

namespace apsp {

constexpr int kWeighers = 256;

// sums[part, i, c, k]: for row i, and each of gridDim.y parts of the columns, the sum of the amounts k within
// cutoff c.
//
// A block owns a part of a row, a thread every 256th vector of 16 bytes of it. Read: dist (rows, n), amounts.
// Written: sums (gridDim.y, rows, kCutoffs, kKinds). No race: threads are joined in shared memory, always in
// the same order.
template <class T, int kKinds>
__global__ void __launch_bounds__(kWeighers)
    weigh_rows(const T* dist, long long stride, int n, Weighing<T, kKinds> weighing, double* sums) {
  constexpr int kSums = kCutoffs * kKinds;
  __shared__ double parts[kWeighers / 32][kSums];
  const WideRow<T> row(dist + blockIdx.x * stride, n);
  const int length = (row.vectors + gridDim.y - 1) / gridDim.y, from = blockIdx.y * length;
  const int to = min(from + length, row.vectors);
  WeighedSums<T, kKinds> mine;
  mine.clear();
  for (int i = from + threadIdx.x; i < to; i += kWeighers) {
    const Vector<T> values = row.load(i);
    const int column = row.column(i);
#pragma unroll
    for (int j = 0; j < WideRow<T>::kWidth; ++j) mine.add(weighing, values.at(j), column + j);
  }
  const double sum = mine.joined(parts, threadIdx.x);
  if (threadIdx.x < kSums)
    sums[(static_cast<long long>(blockIdx.y) * gridDim.x + blockIdx.x) * kSums + threadIdx.x] = sum;
}

}  // namespace apsp
