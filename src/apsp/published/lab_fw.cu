// The two kernels of the course laboratory: one launch per pivot, square blocks, -1 for "no edge".
namespace apsp {

constexpr int kLargestBlock = 32;

// mat[x, y] = min(mat[x, y], mat[x, k] + mat[k, y]) if both terms of the sum exist (appendix 7.2).
//
// A block owns a square of mat (n, n). A thread owns one entry; threadIdx.x counts rows, as in the listing.
// Read: row k, column k and the entry. Written: the entry, if it becomes smaller.
// No race: entry (k, k) is 0 and no length is negative, so no entry of row k or column k becomes smaller.
template <class T>
__global__ void apsp_basic(T* mat, int k, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const long long i0 = static_cast<long long>(x) * n + y, i1 = static_cast<long long>(x) * n + k,
                  i2 = static_cast<long long>(k) * n + y;
  if (mat[i1] != T(-1) && mat[i2] != T(-1)) {
    const T sum = mat[i1] + mat[i2];
    if (mat[i0] == T(-1) || sum < mat[i0]) mat[i0] = sum;
  }
}

// The same with the block's pieces of column k and row k in shared memory (appendix 7.4).
//
// A block owns a square of mat (n, n). A thread owns one entry; those of the first row and column load a
// value. Read: the pieces of row k and column k once per block, and the entry. Written: the entry, if it
// becomes smaller. No race: as above; a barrier lies between loading and use, and the two pieces do not
// overlap.
template <class T>
__global__ void apsp_shared(T* mat, int k, int n) {
  __shared__ T k_column[kLargestBlock], k_row[kLargestBlock];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (threadIdx.y == 0 && x < n) k_column[threadIdx.x] = mat[static_cast<long long>(x) * n + k];
  if (threadIdx.x == 0 && y < n) k_row[threadIdx.y] = mat[static_cast<long long>(k) * n + y];
  __syncthreads();
  if (x >= n || y >= n) return;
  const long long i0 = static_cast<long long>(x) * n + y;
  const T current = mat[i0];
  if (k_column[threadIdx.x] != T(-1) && k_row[threadIdx.y] != T(-1)) {
    const T sum = k_column[threadIdx.x] + k_row[threadIdx.y];
    if (current == T(-1) || sum < current) mat[i0] = sum;
  }
}

}  // namespace apsp
