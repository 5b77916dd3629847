#include "elimination/kernels.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::elimination {

template <class T>
const Kernels<T>& kernels(bool nonnegative) {
  return APSP_IN_FORCE(table<T>(nonnegative));
}

#define APSP_INSTANTIATE(T) template const Kernels<T>& kernels<T>(bool);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
