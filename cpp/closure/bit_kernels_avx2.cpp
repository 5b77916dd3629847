// Unions of bit rows for AVX2.
#if defined(__AVX2__)
#define APSP_SIMD avx2
#include "closure/four_russians.hpp"
#endif
