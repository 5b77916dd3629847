// Breadth-first search on bits for AVX2.
#if defined(__AVX2__)
#define APSP_SIMD avx2
#include "sparse/bit_search.hpp"
#endif
