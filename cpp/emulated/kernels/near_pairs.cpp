#include "register.hpp"

#include "near_pairs.cu"

#define APSP_OF(Labels, Length, Out) APSP_KERNEL(apsp::near_pairs<apsp::Labels, apsp::WideArc<Length>, Out>)
APSP_OF(IntegerLabels<int>, int, unsigned short)
APSP_OF(IntegerLabels<int>, int, int)
APSP_OF(IntegerLabels<long long>, long long, int)
APSP_OF(IntegerLabels<long long>, long long, long long)
APSP_OF(FloatLabels, float, float)
APSP_OF(DoubleLabels, double, double)

#define APSP_OF_ROWS(T)                \
  APSP_KERNEL(apsp::join_rows<T>)      \
  APSP_KERNEL(apsp::weigh_pairs<T, 1>) \
  APSP_KERNEL(apsp::weigh_pairs<T, 4>)
APSP_OF_ROWS(unsigned short)
APSP_OF_ROWS(int)
APSP_OF_ROWS(long long)
APSP_OF_ROWS(float)
APSP_OF_ROWS(double)
