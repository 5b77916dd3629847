#include "register.hpp"

#include "tight_arcs.cu"

#define APSP_OF(T)                 \
  APSP_KERNEL(apsp::tight_arcs<T>) \
  APSP_KERNEL(apsp::lists_by_head<T>)
APSP_OF(unsigned short)
APSP_OF(int)
APSP_OF(long long)
APSP_OF(float)
APSP_OF(double)
APSP_KERNEL(apsp::sums_of_reduced<unsigned short>)
APSP_KERNEL(apsp::sums_of_reduced<int>)
APSP_KERNEL(apsp::sums_of_reduced<long long>)
