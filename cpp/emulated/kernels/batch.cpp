// With predecessors, for each dtype and algebra; without them, for one.
#include "register.hpp"

#include "batch.cu"

#define APSP_NARROW(Ops)                                     \
  APSP_KERNEL(apsp::close_small<apsp::Ops, 32, 4, 16, true>) \
  APSP_KERNEL(apsp::close_small<apsp::Ops, 64, 4, 4, true>)  \
  APSP_KERNEL(apsp::close_small<apsp::Ops, 128, 8, 1, true>) \
  APSP_KERNEL(apsp::close_large_tracked<apsp::Ops, 4, 1024, 512>)
#define APSP_WIDE(Ops)                                      \
  APSP_KERNEL(apsp::close_small<apsp::Ops, 32, 4, 8, true>) \
  APSP_KERNEL(apsp::close_small<apsp::Ops, 64, 4, 2, true>) \
  APSP_KERNEL(apsp::close_large_tracked<apsp::Ops, 4, 1024, 256>)
APSP_NARROW(MinPlus<unsigned short>)
APSP_NARROW(MinPlus<int>)
APSP_NARROW(MinPlus<float>)
APSP_NARROW(MaxMin<float>)
APSP_NARROW(MinMax<int>)
APSP_WIDE(MinPlus<long long>)
APSP_WIDE(MinPlus<double>)
APSP_KERNEL(apsp::close_small<apsp::MinPlus<float>, 32, 4, 16, false>)
APSP_KERNEL(apsp::close_small<apsp::MinPlus<float>, 64, 4, 4, false>)
APSP_KERNEL(apsp::close_small<apsp::MinPlus<float>, 128, 8, 1, false>)
APSP_KERNEL(apsp::close_large<apsp::MinPlus<float>, 128>)
APSP_KERNEL(apsp::close_large<apsp::MinPlus<float>, 64>)
