// N and B, the tasks and the vertices of a block, are template arguments: the values for different sizes of
// device memory with the usual B = 4, and for comparison a few more, of the paper's int.
#include "register.hpp"

#include "okuyama.cu"

#define APSP_OF(T, N, B)                             \
  APSP_KERNEL(apsp::okuyama_scatter<T, N, B>)        \
  APSP_KERNEL(apsp::okuyama_scatter_global<T, N, B>) \
  APSP_KERNEL(apsp::okuyama_check<T, N, B>)
#define APSP_OF_ALL(N, B) \
  APSP_OF(int, N, B) APSP_OF(long long, N, B) APSP_OF(float, N, B) APSP_OF(double, N, B)
APSP_OF_ALL(32, 4)
APSP_OF_ALL(64, 4)
APSP_OF_ALL(96, 4)
APSP_OF_ALL(128, 4)
APSP_OF_ALL(160, 4)
APSP_OF_ALL(192, 4)
APSP_OF_ALL(224, 4)
APSP_OF_ALL(256, 4)
APSP_OF(int, 32, 1)
APSP_OF(int, 32, 2)
APSP_OF(int, 32, 8)
APSP_OF(int, 32, 16)
APSP_OF(int, 32, 32)
APSP_OF(int, 64, 1)
APSP_OF(int, 64, 2)
APSP_OF(int, 64, 8)
APSP_OF(int, 128, 1)
APSP_OF(int, 128, 2)
APSP_OF(int, 256, 1)
APSP_OF(int, 256, 2)
APSP_OF(int, 512, 1)
APSP_OF(int, 512, 2)
