// One shape for each algebra: EMULATED of policy.py. Values of 16 bits have no pivots.
#include "register.hpp"

#include "product.cu"

#define APSP_VALUES(Ops, columns, bytes)                                        \
  APSP_KERNEL(apsp::product<apsp::Ops, apsp::Shape<4, 2, 4, 1, 64, 2, 2, 3, 0>, \
                            apsp::Launch<128, 64, columns, bytes>, false>)
#define APSP_OF(Ops, columns, bytes, depth)                                     \
  APSP_VALUES(Ops, columns, bytes)                                              \
  APSP_KERNEL(apsp::product<apsp::Ops, apsp::Shape<4, 2, 4, 1, 64, 2, 2, 3, 0>, \
                            apsp::Launch<128, 64, columns, bytes>, true>)       \
  APSP_KERNEL(apsp::locate<apsp::Ops, depth>)
APSP_VALUES(MinPlus<unsigned short>, 128, 26624)
APSP_VALUES(MaxMin<unsigned short>, 128, 26624)
APSP_OF(MinPlus<int>, 64, 18432, 16)
APSP_OF(MinPlus<long long>, 32, 14336, 8)
APSP_OF(MinPlus<float>, 64, 18432, 16)
APSP_OF(MinPlusNonNegative, 64, 18432, 16)
APSP_OF(MinPlus<double>, 32, 14336, 8)
APSP_OF(MaxMin<int>, 64, 18432, 16)
APSP_OF(MaxMin<long long>, 32, 14336, 8)
APSP_OF(MaxMin<float>, 64, 18432, 16)
APSP_OF(MaxMin<double>, 32, 14336, 8)
APSP_OF(MinMax<int>, 64, 18432, 16)
APSP_OF(MinMax<long long>, 32, 14336, 8)
APSP_OF(MinMax<float>, 64, 18432, 16)
APSP_OF(MinMax<double>, 32, 14336, 8)

#define APSP_TYPE(T)            \
  APSP_KERNEL(apsp::take_in<T>) \
  APSP_KERNEL(apsp::entries<T>)
APSP_TYPE(unsigned short)
APSP_TYPE(int)
APSP_TYPE(long long)
APSP_TYPE(float)
APSP_TYPE(double)
