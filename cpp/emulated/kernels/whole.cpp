#include "register.hpp"

#include "whole.cu"

#define APSP_OF(T)                           \
  APSP_KERNEL(apsp::weigh_whole_lines<T, 1>) \
  APSP_KERNEL(apsp::weigh_whole_lines<T, 2>) \
  APSP_KERNEL(apsp::weigh_whole_lines<T, 3>) \
  APSP_KERNEL(apsp::weigh_whole_lines<T, 4>)
APSP_OF(unsigned short)
APSP_OF(int)
APSP_OF(float)
APSP_OF(double)
