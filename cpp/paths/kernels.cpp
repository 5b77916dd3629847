#include "paths/kernels.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::paths {

template <class T>
std::uint32_t search_last_arcs(const LastArcSearch<T>& search) {
  return APSP_IN_FORCE(search<T>(search));
}

#define APSP_INSTANTIATE(T) template std::uint32_t search_last_arcs(const LastArcSearch<T>&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::paths
