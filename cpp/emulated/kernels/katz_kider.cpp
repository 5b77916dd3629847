// Sides of a block: those of the papers (18 with paths, 22 for the closure) and a small one for all values;
// for ints and the closure also from one cell to the 1,024 threads of a block.
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
APSP_OF_ALL(4)
APSP_OF_ALL(18)
APSP_OF(Closure, 1)
APSP_OF(Paths<int>, 1)
APSP_OF(Closure, 2)
APSP_OF(Paths<int>, 2)
APSP_OF(Closure, 3)
APSP_OF(Paths<int>, 3)
APSP_OF(Closure, 8)
APSP_OF(Paths<int>, 8)
APSP_OF(Closure, 16)
APSP_OF(Paths<int>, 16)
APSP_OF(Closure, 22)
APSP_OF(Paths<int>, 22)
APSP_OF(Closure, 32)
APSP_OF(Paths<int>, 32)
