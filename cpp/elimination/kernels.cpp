#include "elimination/kernels.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::elimination {

template <class T>
const Kernels<T>& kernels(bool nonnegative) {
  return APSP_IN_FORCE(table<T>(nonnegative));
}

void extend_costs(const CostLines& lines, std::int64_t to, const Lines& from, const CostSteps& steps,
                  Vertex* hits) {
  APSP_IN_FORCE(extend_costs(lines, to, from, steps, hits));
}

#define APSP_INSTANTIATE(T) template const Kernels<T>& kernels<T>(bool);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
