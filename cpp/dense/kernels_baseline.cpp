// The tile kernels for every machine: SSE2 on x86-64, NEON on AArch64.
#define APSP_SIMD baseline
#include "dense/lane_search.hpp"
#include "dense/tile.hpp"
