#include "register.hpp"

#include "close.cu"

#define APSP_OF(Ops) APSP_KERNEL(apsp::close<apsp::Ops>)
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
