#include "batch/kernels.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::batch {

template <class T>
std::int64_t close_tracked(const Tracked<T>& matrix, semiring::Algebra algebra) {
  return APSP_IN_FORCE(close<T>(matrix, algebra));
}

#define APSP_INSTANTIATE(T) template std::int64_t close_tracked(const Tracked<T>&, semiring::Algebra);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::batch
