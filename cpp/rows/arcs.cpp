#include "rows/arcs.hpp"

namespace apsp::rows {

#define APSP_INSTANTIATE(T) template class Arcs<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::rows
