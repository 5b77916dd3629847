#include "register.hpp"

#include "harish_fw.cu"

APSP_KERNEL(apsp::relax_pairs<int>)
APSP_KERNEL(apsp::relax_pairs<long long>)
APSP_KERNEL(apsp::relax_pairs<float>)
APSP_KERNEL(apsp::relax_pairs<double>)
