#include "register.hpp"

#include "hop_flows.cu"

APSP_KERNEL(apsp::hop_forward)
APSP_KERNEL(apsp::hop_backward<false>)
APSP_KERNEL(apsp::hop_backward<true>)
APSP_KERNEL(apsp::hop_add_vertices)
APSP_KERNEL(apsp::hop_add_arcs)
APSP_KERNEL(apsp::hop_leave)
APSP_KERNEL(apsp::hop_served)
APSP_KERNEL(apsp::hop_demand)
APSP_KERNEL(apsp::hop_reached)
