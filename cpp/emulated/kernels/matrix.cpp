// Matrices of arcs that lie on a GPU are not here: those of emulated GPUs are made of arcs of the host.
#include "register.hpp"

#include "matrix.cu"

#define APSP_OF(Ops)                 \
  APSP_KERNEL(apsp::fill<apsp::Ops>) \
  APSP_KERNEL(apsp::extend<apsp::Ops>)
APSP_OF(MinPlus<unsigned short>)
APSP_OF(MinPlus<int>)
APSP_OF(MinPlus<long long>)
APSP_OF(MinPlus<float>)
APSP_OF(MinPlusNonNegative)
APSP_OF(MinPlus<double>)
APSP_OF(MaxMin<int>)
APSP_OF(MaxMin<long long>)
APSP_OF(MaxMin<float>)
APSP_OF(MaxMin<double>)
APSP_OF(MinMax<int>)
APSP_OF(MinMax<long long>)
APSP_OF(MinMax<float>)
APSP_OF(MinMax<double>)
APSP_KERNEL(apsp::finish<unsigned short>)
APSP_KERNEL(apsp::finish<int>)
APSP_KERNEL(apsp::finish<long long>)
