#include "elimination/kernels.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::elimination {

template <class T>
const Kernels<T>& kernels(bool nonnegative) {
  return APSP_IN_FORCE(table<T>(nonnegative));
}

std::int64_t scan(double* best, const double* lines, const Lines& from, const double* step,
                  std::int64_t stride, Hit* hits) {
  return APSP_IN_FORCE(scan(best, lines, from, step, stride, hits));
}

#define APSP_INSTANTIATE(T) template const Kernels<T>& kernels<T>(bool);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
