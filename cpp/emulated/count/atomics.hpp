// The atomics of instrumented kernels: declared here, defined in a file that is not instrumented.
#pragma once
#include <type_traits>

namespace apsp_emulated::counted {

template <class T>
T atomicMin(T* at, std::type_identity_t<T> value);
template <class T>
T atomicMax(T* at, std::type_identity_t<T> value);
template <class T>
T atomicAdd(T* at, std::type_identity_t<T> value);
template <class T>
T atomicOr(T* at, std::type_identity_t<T> value);
template <class T>
T atomicAnd(T* at, std::type_identity_t<T> value);
template <class T>
T atomicExch(T* at, std::type_identity_t<T> value);
template <class T>
T atomicCAS(T* at, std::type_identity_t<T> expected, std::type_identity_t<T> value);

}  // namespace apsp_emulated::counted
