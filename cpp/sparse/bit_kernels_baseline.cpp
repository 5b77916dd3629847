// Breadth-first search on bits for every machine.
#define APSP_SIMD baseline
#include "sparse/bit_search.hpp"
