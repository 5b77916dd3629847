// The kernels of elimination for every machine: SSE2 on x86-64, NEON on AArch64.
#define APSP_SIMD baseline
#include "elimination/panels.hpp"
