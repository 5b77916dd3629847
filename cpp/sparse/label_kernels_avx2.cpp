// Label correcting for AVX2 (x86-64 since 2013).
#if defined(__AVX2__)
#define APSP_SIMD avx2
#include "sparse/label_tables.hpp"
#endif
