#include "register.hpp"

#include "weigh.cu"

APSP_KERNEL(apsp::weigh_rows<unsigned short, 1>)
APSP_KERNEL(apsp::weigh_rows<unsigned short, 4>)
APSP_KERNEL(apsp::weigh_rows<int, 1>)
APSP_KERNEL(apsp::weigh_rows<int, 4>)
APSP_KERNEL(apsp::weigh_rows<long long, 1>)
APSP_KERNEL(apsp::weigh_rows<long long, 4>)
APSP_KERNEL(apsp::weigh_rows<float, 1>)
APSP_KERNEL(apsp::weigh_rows<float, 4>)
APSP_KERNEL(apsp::weigh_rows<double, 1>)
APSP_KERNEL(apsp::weigh_rows<double, 4>)
