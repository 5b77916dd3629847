// The kernels of elimination for AVX2.
#if defined(__AVX2__)
#define APSP_SIMD avx2
#include "elimination/panels.hpp"
#endif
