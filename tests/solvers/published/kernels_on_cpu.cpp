// The kernels of the published Floyd-Warshalls as functions of the CPU, for ctypes.
#include "cuda_on_cpu.hpp"
//
#include "harish_fw.cu"
#include "katz_kider.cu"
#include "lab_fw.cu"

using namespace apsp;
using Paths32 = Paths<int>;
constexpr int kBlock = 3;
constexpr Place kSquare{kBlock, kBlock};

extern "C" void relax_pairs_int(int* matrix, int n, int k) {
  launch({(n * n + 6) / 7, 1}, {7, 1}, relax_pairs<int>, matrix, n, k);
}
extern "C" void apsp_basic_int(int* matrix, int n, int k) {
  launch({(n + 3) / 4, (n + 3) / 4}, {4, 4}, apsp_basic<int>, matrix, k, n);
}
extern "C" void apsp_shared_int(int* matrix, int n, int k) {
  launch({(n + 3) / 4, (n + 3) / 4}, {4, 4}, apsp_shared<int>, matrix, k, n);
}

#define APSP_PASSES(NAME, OPS)                                                                              \
  extern "C" void NAME##_primary(int gx, int gy, void* page, int side, int b, long long first) {            \
    launch({gx, gy}, kSquare, primary<OPS, kBlock>, (OPS::Cell*)page, side, b, first);                      \
  }                                                                                                         \
  extern "C" void NAME##_singly(int gx, int gy, void* page, void* center, int side, int b, long long first, \
                                int in_column, int skip) {                                                  \
    launch({gx, gy}, kSquare, singly_dependent<OPS, kBlock>, (OPS::Cell*)page, (OPS::Cell*)center, side, b, \
           first, in_column, skip);                                                                         \
  }                                                                                                         \
  extern "C" void NAME##_doubly(int gx, int gy, void* page, void* column, void* row, int side, int b,       \
                                long long first, int skip_x, int skip_y) {                                  \
    launch({gx, gy}, kSquare, doubly_dependent<OPS, kBlock>, (OPS::Cell*)page, (OPS::Cell*)column,          \
           (OPS::Cell*)row, side, b, first, skip_x, skip_y);                                                \
  }
APSP_PASSES(paths, Paths32)
APSP_PASSES(closure, Closure)
