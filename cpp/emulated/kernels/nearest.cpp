#include "register.hpp"

#include "nearest.cu"

APSP_KERNEL(apsp::nearest<unsigned short>)
APSP_KERNEL(apsp::nearest<int>)
APSP_KERNEL(apsp::nearest<long long>)
APSP_KERNEL(apsp::nearest<float>)
APSP_KERNEL(apsp::nearest<double>)
