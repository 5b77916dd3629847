#include "register.hpp"

#include "johnson.cu"

#define APSP_OF(T)                     \
  APSP_KERNEL(apsp::relax_queue<T>)    \
  APSP_KERNEL(apsp::relax_outgoing<T>) \
  APSP_KERNEL(apsp::reweight<T>)       \
  APSP_KERNEL(apsp::begin<T>)          \
  APSP_KERNEL(apsp::relax_flagged<T>)  \
  APSP_KERNEL(apsp::relax_queued<T>)   \
  APSP_KERNEL(apsp::record<T>)         \
  APSP_KERNEL(apsp::minimum<T>)        \
  APSP_KERNEL(apsp::update_flags<T>)   \
  APSP_KERNEL(apsp::update_queue<T>)   \
  APSP_KERNEL(apsp::take_back<T>)
APSP_OF(long long)
APSP_OF(double)
APSP_KERNEL(apsp::update_prefix)
