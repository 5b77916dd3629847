#include "register.hpp"

#include "factorise.cu"

#define APSP_OF(T)                    \
  APSP_KERNEL(apsp::place_arcs<T>)    \
  APSP_KERNEL(apsp::close_small<T>)   \
  APSP_KERNEL(apsp::take_children<T>) \
  APSP_KERNEL(apsp::close_pivot<T>)   \
  APSP_KERNEL(apsp::extend_pivot<T>)  \
  APSP_KERNEL(apsp::through_pivot<T>)
APSP_OF(unsigned short)
APSP_OF(int)
APSP_OF(long long)
