#include "register.hpp"

#include "skims.cu"

APSP_KERNEL(apsp::seed_costs)
APSP_KERNEL(apsp::climb_costs)
APSP_KERNEL(apsp::descend_costs)
APSP_KERNEL(apsp::write_costs)
