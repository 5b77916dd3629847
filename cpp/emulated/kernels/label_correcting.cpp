#include "register.hpp"

#include "label_correcting.cu"

#define APSP_OF(Labels, Arc, T)                                         \
  APSP_KERNEL(apsp::label_correcting<apsp::Labels, apsp::Arc, T, true>) \
  APSP_KERNEL(apsp::label_correcting<apsp::Labels, apsp::Arc, T, false>)
#define APSP_OF_ALL(T)                             \
  APSP_OF(NarrowLabels, PackedArc, T)              \
  APSP_OF(IntegerLabels<int>, PackedArc, T)        \
  APSP_OF(IntegerLabels<int>, WideArc<int>, T)     \
  APSP_KERNEL(apsp::pack_arcs<apsp::PackedArc, T>) \
  APSP_KERNEL(apsp::pack_arcs<apsp::WideArc<int>, T>)
APSP_OF_ALL(unsigned short)
APSP_OF_ALL(int)
APSP_OF(IntegerLabels<long long>, WideArc<long long>, long long)
APSP_OF(FloatLabels, WideArc<float>, float)
APSP_OF(DoubleLabels, WideArc<double>, double)
APSP_KERNEL(apsp::pack_arcs<apsp::WideArc<long long>, long long>)
APSP_KERNEL(apsp::pack_arcs<apsp::WideArc<float>, float>)
APSP_KERNEL(apsp::pack_arcs<apsp::WideArc<double>, double>)
