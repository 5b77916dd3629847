#include "register.hpp"

#include "examples.cu"

APSP_KERNEL(apsp::strided_copy)
APSP_KERNEL(apsp::neighbours)
APSP_KERNEL(apsp::banks)
APSP_KERNEL(apsp::stuck)
APSP_KERNEL(apsp::parted)
