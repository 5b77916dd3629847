#include "register.hpp"

#include "bit_bfs.cu"

APSP_KERNEL(apsp::bit_bfs)
APSP_KERNEL(apsp::expand_levels<unsigned short>)
APSP_KERNEL(apsp::expand_levels<int>)
APSP_KERNEL(apsp::expand_levels<long long>)
APSP_KERNEL(apsp::expand_levels<float>)
APSP_KERNEL(apsp::expand_levels<double>)
