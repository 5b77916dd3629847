// The loops for every machine.
#define APSP_SIMD baseline
#include "reduce/loops_template.hpp"
