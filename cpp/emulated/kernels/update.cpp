// One shape for each algebra: EMULATED of policy.py.
#include "register.hpp"

#include "update.cu"

#define APSP_OF(Ops, columns, bytes)                                           \
  APSP_KERNEL(apsp::update<apsp::Ops, apsp::Shape<4, 2, 4, 1, 64, 2, 2, 3, 0>, \
                           apsp::Launch<128, 64, columns, bytes>>)
APSP_OF(MinPlus<unsigned short>, 128, 26624)
APSP_OF(MinPlus<int>, 64, 18432)
APSP_OF(MinPlus<long long>, 32, 14336)
APSP_OF(MinPlus<float>, 64, 18432)
APSP_OF(MinPlusNonNegative, 64, 18432)
APSP_OF(MinPlus<double>, 32, 14336)
APSP_OF(MaxMin<int>, 64, 18432)
APSP_OF(MaxMin<long long>, 32, 14336)
APSP_OF(MaxMin<float>, 64, 18432)
APSP_OF(MaxMin<double>, 32, 14336)
APSP_OF(MinMax<int>, 64, 18432)
APSP_OF(MinMax<long long>, 32, 14336)
APSP_OF(MinMax<float>, 64, 18432)
APSP_OF(MinMax<double>, 32, 14336)
