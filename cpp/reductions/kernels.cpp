#include "reductions/kernels.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::reductions {

template <class T>
const Kernels<T>& kernels() {
  return APSP_IN_FORCE(table<T>());
}

#define APSP_INSTANTIATE(T) template const Kernels<T>& kernels<T>();
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::reductions
