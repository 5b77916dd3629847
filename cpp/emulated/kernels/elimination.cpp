#include "register.hpp"

#include "elimination.cu"

#define APSP_OF(Ops)                               \
  APSP_KERNEL(apsp::pack_panels<apsp::Ops, true>)  \
  APSP_KERNEL(apsp::pack_panels<apsp::Ops, false>) \
  APSP_KERNEL(apsp::climb<apsp::Ops>)              \
  APSP_KERNEL(apsp::descend<apsp::Ops, true>)      \
  APSP_KERNEL(apsp::leave_zones<apsp::Ops>)
#define APSP_OF_VALUE(T)            \
  APSP_KERNEL(apsp::seed_labels<T>) \
  APSP_KERNEL(apsp::turn_lines<T>)
APSP_OF(MinPlus<unsigned short>)
APSP_KERNEL(apsp::descend<apsp::MinPlus<unsigned short>, false>)
APSP_OF(MinPlus<int>)
APSP_OF(MinPlus<long long>)
APSP_OF(MinPlus<float>)
APSP_OF(MinPlusNonNegative)
APSP_OF(MinPlus<double>)
APSP_OF_VALUE(unsigned short)
APSP_OF_VALUE(int)
APSP_OF_VALUE(long long)
APSP_OF_VALUE(float)
APSP_OF_VALUE(double)
