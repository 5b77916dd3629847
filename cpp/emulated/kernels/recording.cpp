#include "register.hpp"

#include "recording.cu"

APSP_KERNEL(apsp::record_parents<int>)
APSP_KERNEL(apsp::record_parents<long long>)
APSP_KERNEL(apsp::record_parents<float>)
APSP_KERNEL(apsp::record_parents<double>)
