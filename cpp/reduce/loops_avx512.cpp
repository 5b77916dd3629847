// The loops for AVX-512.
#if defined(__AVX512F__)
#define APSP_SIMD avx512
#include "reduce/loops_template.hpp"
#endif
