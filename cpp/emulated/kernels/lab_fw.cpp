#include "register.hpp"

#include "lab_fw.cu"

#define APSP_OF(T)                 \
  APSP_KERNEL(apsp::apsp_basic<T>) \
  APSP_KERNEL(apsp::apsp_shared<T>)
APSP_OF(int)
APSP_OF(long long)
APSP_OF(float)
APSP_OF(double)
