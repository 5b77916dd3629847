#include "register.hpp"

#include "label_rows.cu"

APSP_KERNEL(apsp::label_rows<unsigned short>)
APSP_KERNEL(apsp::label_rows<int>)
APSP_KERNEL(apsp::label_rows<long long>)
APSP_KERNEL(apsp::label_rows<float>)
APSP_KERNEL(apsp::label_rows<double>)
APSP_KERNEL(apsp::meet_rows<unsigned short>)
APSP_KERNEL(apsp::meet_rows<int>)
APSP_KERNEL(apsp::meet_rows<long long>)
APSP_KERNEL(apsp::meet_rows<float>)
APSP_KERNEL(apsp::meet_rows<double>)
