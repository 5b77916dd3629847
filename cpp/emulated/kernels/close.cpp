#include "algebras.hpp"
#include "register.hpp"

#include "close.cu"

#define APSP_OF(Ops) APSP_KERNEL(apsp::close<apsp::Ops>)
APSP_ALGEBRAS(APSP_OF)
