// Distances between places from rows of distances between the ends of their streets, in public values; see
// ends_on_gpu.py.
#include "row_numbers.cuh"

namespace apsp {

template <class T>
__device__ __forceinline__ double between(T distance, double length) {
  return (has_path(distance) ? static_cast<double>(distance) : Range<double>::kMost) + length;
}

// dist[i, j] = the least of starts[a, i] + row[columns[b, j]] + lengths[b, j] over the two ends a of the i-th
// source and b of the j-th target, where row is that of the vertex at end a: rows[which[a, i]].
//
// A block owns 256 columns, a thread one of them, of every gridDim.x-th source. Read: rows; which, starts (2,
// count); columns, lengths (2, width). Written: dist (count, width). No race: each entry has one writer.
template <class T>
__global__ void __launch_bounds__(256)
    join_ends(const T* rows, long long stride, const int* which, const double* starts, int count,
              const int* columns, const double* lengths, int width, double* dist) {
  const int j = blockIdx.y * blockDim.x + threadIdx.x;
  if (j >= width) return;
  const int first = columns[j], second = columns[width + j];
  const double to_first = lengths[j], to_second = lengths[width + j];
  for (int i = blockIdx.x; i < count; i += gridDim.x) {
    const T* one = rows + which[i] * stride;
    const T* other = rows + which[count + i] * stride;
    const double near = min(between(one[first], to_first), between(one[second], to_second));
    const double far = min(between(other[first], to_first), between(other[second], to_second));
    dist[i * static_cast<long long>(width) + j] = min(near + starts[i], far + starts[count + i]);
  }
}

}  // namespace apsp
