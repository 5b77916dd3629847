// Sums of columns are not included: rows of emulated GPUs are copied to the host, which computes them.
#include "register.hpp"

#include "reduce.cu"

APSP_KERNEL(apsp::reduce_rows<unsigned short>)
APSP_KERNEL(apsp::reduce_rows<int>)
APSP_KERNEL(apsp::reduce_rows<long long>)
APSP_KERNEL(apsp::reduce_rows<float>)
APSP_KERNEL(apsp::reduce_rows<double>)
