// How a file of kernels is compiled into this extension: the CUDA names, then the .cu file, then a line for
// each instantiation. The file is compiled twice; APSP_COUNTED is set in the instrumented one.
#pragma once
#include "../cuda.hpp"

// The build defines the name `apsp` as APSP_NAMESPACE(file).
#ifdef APSP_COUNTED
#define APSP_IS_COUNTED true
#define APSP_NAMESPACE(file) apsp_emulated_counted_##file
#else
#define APSP_IS_COUNTED false
#define APSP_NAMESPACE(file) apsp_emulated_plain_##file
#endif

#define APSP_JOINED_(a, b) a##b
#define APSP_JOINED(a, b) APSP_JOINED_(a, b)

// APSP_KERNEL(apsp::relax_pairs<int>): the text is that used by Python. Two steps, since `apsp` is a
// macro here (see emulated.cmake), and # does not expand its argument.
#define APSP_KERNEL(...)                                                                   \
  static const ::apsp_emulated::Registration APSP_JOINED(apsp_registration_, __COUNTER__)( \
      {#__VA_ARGS__, APSP_IS_COUNTED, &::apsp_emulated::Caller<&__VA_ARGS__>::call,        \
       ::apsp_emulated::Caller<&__VA_ARGS__>::kSizes, ::apsp_emulated::Caller<&__VA_ARGS__>::kCount});
