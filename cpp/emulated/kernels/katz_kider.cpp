// Sides of a block from one cell to the 1,024 threads of a block.
#include "register.hpp"

#include "katz_kider.cu"

#define APSP_OF(Operations, side)                             \
  APSP_KERNEL(apsp::primary<apsp::Operations, side>)          \
  APSP_KERNEL(apsp::singly_dependent<apsp::Operations, side>) \
  APSP_KERNEL(apsp::doubly_dependent<apsp::Operations, side>)
#define APSP_OF_ALL(side)         \
  APSP_OF(Closure, side)          \
  APSP_OF(Paths<int>, side)       \
  APSP_OF(Paths<long long>, side) \
  APSP_OF(Paths<float>, side)     \
  APSP_OF(Paths<double>, side)
APSP_OF_ALL(1)
APSP_OF_ALL(2)
APSP_OF_ALL(3)
APSP_OF_ALL(4)
APSP_OF_ALL(5)
APSP_OF_ALL(6)
APSP_OF_ALL(7)
APSP_OF_ALL(8)
APSP_OF_ALL(10)
APSP_OF_ALL(12)
APSP_OF_ALL(14)
APSP_OF_ALL(16)
APSP_OF_ALL(18)
APSP_OF_ALL(20)
APSP_OF_ALL(22)
APSP_OF_ALL(24)
APSP_OF_ALL(28)
APSP_OF_ALL(30)
APSP_OF_ALL(32)
