// The algebras of semiring.cuh, by dtype: each(MinPlus<int>) and so on.
#pragma once

#define APSP_ALGEBRAS(each)                                                                      \
  each(MinPlus<unsigned short>) each(MinPlus<int>) each(MinPlus<long long>) each(MinPlus<float>) \
      each(MinPlusNonNegative) each(MinPlus<double>) each(MaxMin<int>) each(MaxMin<long long>)   \
          each(MaxMin<float>) each(MaxMin<double>) each(MinMax<int>) each(MinMax<long long>)     \
              each(MinMax<float>) each(MinMax<double>)
