#include "register.hpp"

#include "ends.cu"

APSP_KERNEL(apsp::join_ends<unsigned short>)
APSP_KERNEL(apsp::join_ends<int>)
APSP_KERNEL(apsp::join_ends<long long>)
APSP_KERNEL(apsp::join_ends<float>)
APSP_KERNEL(apsp::join_ends<double>)
