// Floyd-Warshall with one thread per pair: everything in global memory.
namespace apsp {

// matrix[i, j] = min(matrix[i, j], matrix[i, k] + matrix[k, j]) for one pivot k.
//
// A block owns 256 entries one after another. A thread owns one entry.
// Read: row k, column k and the entry of matrix (n, n). Written: the entry, if it becomes smaller.
// No race: entry (k, k) is 0 and no length is negative, so no entry of row k or column k becomes smaller.
template <class T>
__global__ void relax_pairs(T* matrix, int n, int k) {
  const long long pair = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (pair >= static_cast<long long>(n) * n) return;
  const long long i = pair / n, j = pair % n;
  const T through = matrix[i * n + k] + matrix[static_cast<long long>(k) * n + j];
  if (through < matrix[pair]) matrix[pair] = through;
}

}  // namespace apsp
