// The trace of the launch that is being counted; null if there is none. One at a time: see module.cpp.
#pragma once
#include "trace.hpp"

namespace apsp_emulated {

extern Trace* tracing;

}  // namespace apsp_emulated
