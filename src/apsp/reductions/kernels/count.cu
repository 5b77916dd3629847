// Histograms of distances where they lie, in public values.
#include "dense_arcs.cuh"

namespace apsp {

// Counts distances in bins of width 2^exponent, from -bins to bins - 1: integers by a shift, floats by two
// exact factors whose product is 2^-exponent.
template <class T>
struct EvenBins {
  int bins, shift;
  double one, other;
  __device__ __forceinline__ int size() const { return 2 * bins; }
  __device__ __forceinline__ int bin_of(T distance) const {
    if constexpr (kIsFloat<T>) {
      const double scaled = static_cast<double>(distance) * one * other;
      // Below zero the product may become -0, which is in the bin below, too.
      const double bin = floor(distance < 0 ? min(scaled, -0.5) : scaled);
      return bin >= -bins && bin < bins ? static_cast<int>(bin) + bins : -1;
    } else {
      return static_cast<int>(static_cast<long long>(distance) >> shift) + bins;
    }
  }
};

// Counts distances between given edges (count + 1,); the last one belongs to the last bin.
template <class T>
struct GivenBins {
  const double* edges;
  int count;
  __device__ __forceinline__ int size() const { return count; }
  __device__ __forceinline__ int bin_of(T distance) const {
    const auto value = static_cast<double>(distance);
    if (!(value >= edges[0] && value <= edges[count])) return -1;
    int low = 0, high = count;  // edges[low] <= value; value < edges[high], or high is the last
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (value < edges[middle])
        high = middle;
      else
        low = middle;
    }
    return low;
  }
};

constexpr int kSharedBins = 8192;

// counts[bin] += the number of distances in the bin.
//
// A block owns every row r with r mod gridDim.x = blockIdx.x, a thread every 256th column. Read: dist (rows,
// n). Written: counts (size,). No race: atomic additions, first in shared memory if the bins fit into it.
template <class T, class Bins>
__global__ void __launch_bounds__(256)
    count_distances(const T* dist, long long stride, int rows, int n, Bins bins, unsigned long long* counts) {
  __shared__ unsigned of_block[kSharedBins];
  const bool here = bins.size() <= kSharedBins;
  for (int bin = threadIdx.x; here && bin < bins.size(); bin += blockDim.x) of_block[bin] = 0;
  __syncthreads();
  for (int row = blockIdx.x; row < rows; row += gridDim.x)
    for (int v = threadIdx.x; v < n; v += blockDim.x) {
      const T distance = dist[row * stride + v];
      const int bin = distance != Range<T>::kMost ? bins.bin_of(distance) : -1;
      if (bin < 0) continue;
      if (here)
        atomicAdd(of_block + bin, 1u);
      else
        atomicAdd(counts + bin, 1ull);
    }
  __syncthreads();
  for (int bin = threadIdx.x; here && bin < bins.size(); bin += blockDim.x)
    if (of_block[bin] != 0) atomicAdd(counts + bin, static_cast<unsigned long long>(of_block[bin]));
}

}  // namespace apsp
