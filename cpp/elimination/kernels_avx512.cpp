// The kernels of elimination for AVX-512 (F, BW, DQ, VL).
#if defined(__AVX512BW__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns about its own intrinsics
#endif
#define APSP_SIMD avx512
#include "elimination/panels.hpp"
#endif
