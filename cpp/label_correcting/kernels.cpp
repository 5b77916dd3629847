#include "label_correcting/kernels.hpp"

namespace apsp::label_correcting {

template <class L>
const Kernels<L>& kernels() {
  return APSP_IN_FORCE(table<L>());
}

#define APSP_INSTANTIATE(L) template const Kernels<L>& kernels<L>();
APSP_FOR_LABELS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::label_correcting
