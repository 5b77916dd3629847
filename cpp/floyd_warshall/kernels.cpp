#include "floyd_warshall/kernels.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::floyd_warshall {

template <class T>
const Kernels<T>& kernels(semiring::Algebra algebra, bool nonnegative) {
  return APSP_IN_FORCE(table<T>(algebra, nonnegative));
}

#define APSP_INSTANTIATE(T) template const Kernels<T>& kernels<T>(semiring::Algebra, bool);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::floyd_warshall
