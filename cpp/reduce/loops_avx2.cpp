// The loops for AVX2.
#if defined(__AVX2__)
#define APSP_SIMD avx2
#include "reduce/loops_template.hpp"
#endif
