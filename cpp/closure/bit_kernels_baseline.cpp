// Unions of bit rows for every machine.
#define APSP_SIMD baseline
#include "closure/four_russians.hpp"
