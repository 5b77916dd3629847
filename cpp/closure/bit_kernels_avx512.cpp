// Unions of bit rows for AVX-512.
#if defined(__AVX512BW__)
#define APSP_SIMD avx512
#include "closure/four_russians.hpp"
#endif
