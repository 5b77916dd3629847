// One source, several instruction sets. CMake compiles every kernels_simd.cpp once per instruction set, with
// APSP_SIMD naming the namespace of that set; kernels.hpp declares its functions, and kernels.cpp calls those
// of the instruction set in force.
//
// Functions compiled for different instruction sets must have different names, otherwise the linker would
// keep one of them for all: everything in a kernels_simd.cpp and in the headers that only such files include
// lies in APSP_SIMD, and they call no function of the standard library.
#pragma once
#include "runtime/isa.hpp"

// Declares the same in the namespace of every instruction set.
#if defined(__x86_64__)
#define APSP_FOR_EACH_ISA(...) \
  namespace baseline {         \
  __VA_ARGS__                  \
  }                            \
  namespace avx2 {             \
  __VA_ARGS__                  \
  }                            \
  namespace avx512 {           \
  __VA_ARGS__                  \
  }
#else
#define APSP_FOR_EACH_ISA(...) \
  namespace baseline {         \
  __VA_ARGS__                  \
  }
#endif

// The call of such a function in the namespace of the instruction set in force.
#if defined(__x86_64__)
#define APSP_IN_FORCE(...)                                     \
  (::apsp::isa() == ::apsp::Isa::kAvx512 ? avx512::__VA_ARGS__ \
   : ::apsp::isa() == ::apsp::Isa::kAvx2 ? avx2::__VA_ARGS__   \
                                         : baseline::__VA_ARGS__)
#else
#define APSP_IN_FORCE(...) baseline::__VA_ARGS__
#endif
