#include "register.hpp"

#include "harish_sssp.cu"

#define APSP_OF(T)                     \
  APSP_KERNEL(apsp::harish_scatter<T>) \
  APSP_KERNEL(apsp::harish_check<T>)
APSP_OF(int)
APSP_OF(long long)
APSP_OF(float)
APSP_OF(double)
