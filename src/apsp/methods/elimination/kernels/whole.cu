// Sums of amounts that are whole numbers over lines of distances, one source per lane: weigh_lines of
// within.cu in float32. The caller cuts the lines into parts in which no sum exceeds 2^24, so every sum is
// exact.
#include "lines.cuh"

namespace apsp {

constexpr int kCutoffs = 4;
constexpr int kOwnLanes = 4;     // of a thread, side by side: what is read per line is shared by them
constexpr int kLinesAtOnce = 4;  // lines that a thread reads before it adds up their amounts

// As _struct of line_sums.py: (n,) OwnAmounts, and cutoffs below "no path", ascending.
template <class T>
struct WholeWeighing {
  const float* amounts;
  T cutoffs[kCutoffs];
};

template <class T>
struct alignas(kOwnLanes * sizeof(T) < 16 ? kOwnLanes * sizeof(T) : 16) OwnDistances {
  T of[kOwnLanes];
};

template <int kKinds>
struct alignas(kKinds == 3 ? 16 : 4 * kKinds) OwnAmounts {
  float of[kKinds];
};

// sums[part, c, k, lane]: for each lane, and each of gridDim.y parts of the lines, the sum of the amounts k
// within cutoff c.
//
// A thread owns kOwnLanes lanes in one part; a warp lies in one tile. Read: near lines (n, pitch), whose
// pitch is a multiple of the tile, and their amounts. Written: sums (gridDim.y, kCutoffs, kKinds, pitch). No
// race: each entry has one writer.
template <class T, int kKinds>
__global__ void __launch_bounds__(128)
    weigh_whole_lines(const T* lines, long long stride, int count, int pitch, const unsigned char* near,
                      int lanes_of_tile, WholeWeighing<T> weighing, float* sums) {
  const int own = threadIdx.x % 32;
  const int lane = (blockIdx.x * blockDim.x + threadIdx.x) * kOwnLanes;
  if (lane >= pitch) return;
  const unsigned char* of_tile = near + static_cast<long long>(lane / lanes_of_tile) * count;
  const int length = (count + gridDim.y - 1) / gridDim.y;
  const int from = blockIdx.y * length, to = min(from + length, count);
  float sum[kCutoffs][kKinds][kOwnLanes] = {};
  bool next_near = from + own < to && of_tile[from + own] != 0;
  for (int base = from; base < to; base += 32) {
    unsigned which = __ballot_sync(0xffffffffu, next_near);
    next_near = base + 32 + own < to && of_tile[base + 32 + own] != 0;  // read ahead
    while (which != 0) {
      OwnDistances<T> distances[kLinesAtOnce];
      OwnAmounts<kKinds> amounts[kLinesAtOnce];
#pragma unroll
      for (int u = 0; u < kLinesAtOnce; ++u) {
        // Beyond the last near line there is no path, so that nothing is added.
        const bool is_near = which != 0;
        const int place = base + (is_near ? __ffs(which) - 1 : 0);
        which &= which - 1;
        if (is_near)
          distances[u] = reinterpret_cast<const OwnDistances<T>*>(lines + place * stride + lane)[0];
        amounts[u] = reinterpret_cast<const OwnAmounts<kKinds>*>(weighing.amounts)[place];
#pragma unroll
        for (int q = 0; q < kOwnLanes; ++q)
          if (!is_near) distances[u].of[q] = Range<T>::kMost;
      }
#pragma unroll
      for (int u = 0; u < kLinesAtOnce; ++u)
#pragma unroll
        for (int q = 0; q < kOwnLanes; ++q)
#pragma unroll
          for (int c = 0; c < kCutoffs; ++c)
            if (distances[u].of[q] <= weighing.cutoffs[c])
#pragma unroll
              for (int k = 0; k < kKinds; ++k) sum[c][k][q] += amounts[u].of[k];
    }
  }
  float* own_sums = sums + static_cast<long long>(blockIdx.y) * (kCutoffs * kKinds) * pitch + lane;
#pragma unroll
  for (int c = 0; c < kCutoffs; ++c)
#pragma unroll
    for (int k = 0; k < kKinds; ++k)
#pragma unroll
      for (int q = 0; q < kOwnLanes; ++q)
        own_sums[static_cast<long long>(c * kKinds + k) * pitch + q] = sum[c][k][q];
}

}  // namespace apsp
