#include "register.hpp"

#include "tally.cu"

#define APSP_OF(T)                  \
  APSP_KERNEL(apsp::tally_lines<T>) \
  APSP_KERNEL(apsp::join_parts<T>)
APSP_OF(unsigned short)
APSP_OF(int)
APSP_OF(float)
APSP_OF(double)
