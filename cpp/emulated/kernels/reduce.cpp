// Sums of columns and histograms are not here: rows of emulated GPUs go to the host, which takes those.
#include "register.hpp"

#include "reduce.cu"

APSP_KERNEL(apsp::reduce_rows<unsigned short>)
APSP_KERNEL(apsp::reduce_rows<int>)
APSP_KERNEL(apsp::reduce_rows<long long>)
APSP_KERNEL(apsp::reduce_rows<float>)
APSP_KERNEL(apsp::reduce_rows<double>)
