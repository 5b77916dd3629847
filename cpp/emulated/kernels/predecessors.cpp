#include "register.hpp"

#include "predecessors.cu"

#define APSP_OF(T)                    \
  APSP_KERNEL(apsp::lines_of_rows<T>) \
  APSP_KERNEL(apsp::nearer_tails<T>)  \
  APSP_KERNEL(apsp::join_in_rounds<T>)
APSP_OF(unsigned short)
APSP_OF(int)
APSP_OF(long long)
APSP_OF(float)
APSP_OF(double)
