// The tile kernels for AVX2 (x86-64 since 2013).
#if defined(__AVX2__)
#define APSP_SIMD avx2
#include "dense/lane_search.hpp"
#include "dense/tile.hpp"
#endif
