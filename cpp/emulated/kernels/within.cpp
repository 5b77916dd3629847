#include "register.hpp"

#include "within.cu"

APSP_KERNEL(apsp::descend_within<apsp::MinPlus<unsigned short>>)
APSP_KERNEL(apsp::descend_within<apsp::MinPlus<int>>)
APSP_KERNEL(apsp::descend_within<apsp::MinPlusNonNegative>)
APSP_KERNEL(apsp::descend_within<apsp::MinPlus<double>>)
APSP_KERNEL(apsp::weigh_lines<unsigned short, 1>)
APSP_KERNEL(apsp::weigh_lines<unsigned short, 4>)
APSP_KERNEL(apsp::weigh_lines<int, 1>)
APSP_KERNEL(apsp::weigh_lines<int, 4>)
APSP_KERNEL(apsp::weigh_lines<float, 1>)
APSP_KERNEL(apsp::weigh_lines<float, 4>)
APSP_KERNEL(apsp::weigh_lines<double, 1>)
APSP_KERNEL(apsp::weigh_lines<double, 4>)
