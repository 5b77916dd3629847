// Small kernels with counts that can be computed by hand, and with errors that an emulated GPU finds. For
// tests and as examples.
namespace apsp {

// to[i] = from[stride * i] for i < n.
//
// A block owns blockDim.x values, a thread one. Read: from (stride * n). Written: to (n). No race: a thread
// writes its own value.
__global__ void strided_copy(const int* from, int* to, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[static_cast<long long>(i) * stride];
}

// Each thread of a block of 256 writes a cell of shared memory and reads the cell of its neighbour, to[i] = i
// + 1 mod 256. With `waits` = 0 there is no barrier between: a race.
//
// A block owns 256 values of `to`, a thread one. No race if `waits`: a barrier lies between writing and
// reading.
__global__ void neighbours(int* to, int waits) {
  __shared__ int cells[256];
  cells[threadIdx.x] = threadIdx.x;
  if (waits) __syncthreads();
  to[blockIdx.x * 256 + threadIdx.x] = cells[(threadIdx.x + 1) % 256];
}

// Each thread of a warp reads cell stride * i of shared memory, after all were written: bank conflicts.
//
// One block of 32 threads owns `to` (32). A thread owns one value. No race: a barrier lies between.
__global__ void banks(int* to, int stride) {
  __shared__ int cells[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) cells[i] = i;
  __syncthreads();
  to[threadIdx.x] = cells[threadIdx.x * stride % 1024];
}

// Half of a warp waits for the block, the other half for the warp: a deadlock.
//
// One block of 32 threads. Nothing is read or written.
__global__ void stuck(int* to) {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    __syncwarp();
  to[threadIdx.x] = 1;
}

// One warp waits at a barrier that counts claims, the other one at a plain barrier.
//
// One block of 64 threads. Nothing is read.
__global__ void parted(int* to) {
  if (threadIdx.x < 32)
    to[threadIdx.x] = __syncthreads_or(1);
  else
    __syncthreads();
}

}  // namespace apsp
