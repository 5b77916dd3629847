// Bounds on eccentricities from rows of distances in device memory, in public values; see
// eccentricity_bounds.py.
#include "row_numbers.cuh"

namespace apsp {

constexpr int kReachers = 256;

// The columns that a part of a row reaches, the largest distance, and the first column at it.
template <class T>
struct Reach {
  int count, farthest;
  T largest;

  __device__ __forceinline__ void add(const Reach& other) {
    count += other.count;
    const bool nearer = other.largest == largest && unsigned(other.farthest) < unsigned(farthest);
    if (other.farthest >= 0 && (farthest < 0 || other.largest > largest || nearer)) {
      largest = other.largest;
      farthest = other.farthest;
    }
  }
};

// For each row, and each of gridDim.y parts of its columns: the number of columns that are reached, the
// largest distance, and the first column at it; -1 if none is reached.
//
// A block owns a part of a row, a thread every 256th column of it. Read: dist (rows, n). Written: (gridDim.y,
// rows) each. No race: threads are joined in shared memory.
template <class T>
__global__ void __launch_bounds__(kReachers)
    reach_rows(const T* dist, long long stride, int n, int* reached, T* largest, int* farthest) {
  __shared__ Reach<T> parts[kReachers];
  const T* row = dist + blockIdx.x * stride;
  const int length = (n + gridDim.y - 1) / gridDim.y, from = min(length * int(blockIdx.y), n);
  const int to = min(from + length, n);
  Reach<T> mine{0, -1, T(0)};
  for (int v = from + threadIdx.x; v < to; v += kReachers) {
    const T distance = row[v];
    if (!has_path(distance)) continue;
    mine.count += 1;
    if (mine.farthest < 0 || distance > mine.largest) {
      mine.largest = distance;
      mine.farthest = v;
    }
  }
  parts[threadIdx.x] = mine;
  for (int half = kReachers / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x].add(parts[threadIdx.x + half]);
  }
  if (threadIdx.x > 0) return;
  const int at = blockIdx.y * gridDim.x + blockIdx.x;
  reached[at] = parts[0].count;
  largest[at] = parts[0].largest;
  farthest[at] = parts[0].farthest;
}

// What searches from and to some vertices prove of the eccentricity of each vertex v: it is at least the
// distance to u, and if u reaches v too, at least ecc(u) less that distance, and at most ecc(u) and the
// distance to u. Also the sum of the distances to them.
//
// A thread owns a column. Read: out and into (rows, n), eccentricities (rows,); out and into may be the same.
// Written: lower, upper, total (n,). No race: a column has one writer.
template <class T>
__global__ void __launch_bounds__(kReachers)
    bound_columns(const T* out, long long out_stride, const T* into, long long into_stride, int rows, int n,
                  const T* eccentricities, T* lower, T* upper, double* total) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  T least = T(0), most = Range<T>::kMost;
  double sum = 0;
  for (int row = 0; row < rows; ++row) {
    const T to = into[row * into_stride + v], from = out[row * out_stride + v];
    if (!has_path(to)) continue;
    const T ecc = eccentricities[row];
    sum += static_cast<double>(to);
    least = max(least, to);
    if (!has_path(from)) continue;
    least = max(least, ecc - from);
    most = min(most, to + ecc);
  }
  lower[v] = least;
  upper[v] = most;
  total[v] = sum;
}

}  // namespace apsp
