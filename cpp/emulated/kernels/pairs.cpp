#include "register.hpp"

#include "pairs.cu"

APSP_KERNEL(apsp::meet_labels<unsigned short>)
APSP_KERNEL(apsp::meet_labels<int>)
APSP_KERNEL(apsp::meet_labels<long long>)
APSP_KERNEL(apsp::meet_labels<float>)
APSP_KERNEL(apsp::meet_labels<double>)
