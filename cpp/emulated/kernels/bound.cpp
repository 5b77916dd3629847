#include "register.hpp"

#include "bound.cu"

APSP_KERNEL(apsp::reach_rows<int>)
APSP_KERNEL(apsp::reach_rows<long long>)
APSP_KERNEL(apsp::bound_columns<int>)
APSP_KERNEL(apsp::bound_columns<long long>)
