// Kernels for dense graphs on a GPU are not included: emulated GPUs get arcs from the host.
#include "algebras.hpp"
#include "register.hpp"

#include "matrix.cu"

#define APSP_OF(Ops)                 \
  APSP_KERNEL(apsp::fill<apsp::Ops>) \
  APSP_KERNEL(apsp::extend<apsp::Ops>)
APSP_ALGEBRAS(APSP_OF)
APSP_KERNEL(apsp::finish<unsigned short>)
APSP_KERNEL(apsp::finish<int>)
APSP_KERNEL(apsp::finish<long long>)
