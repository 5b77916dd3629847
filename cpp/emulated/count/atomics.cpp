// The atomics of instrumented kernels: the real operations, each counted as one access. Not instrumented
// itself.
#include "atomics.hpp"

#include "../run/atomics.hpp"
#include "tracing.hpp"

namespace apsp_emulated::counted {

namespace {

inline void see(const void* at, std::size_t size, const void* where) {
  if (tracing) tracing->event(Kind::atomic, at, static_cast<int>(size), where);
}

}  // namespace

#define APSP_OPERATION(name)                         \
  template <class T>                                 \
  T name(T* at, std::type_identity_t<T> value) {     \
    see(at, sizeof(T), __builtin_return_address(0)); \
    return plain::name(at, value);                   \
  }
APSP_OPERATION(atomicMin)
APSP_OPERATION(atomicMax)
APSP_OPERATION(atomicAdd)
APSP_OPERATION(atomicOr)
APSP_OPERATION(atomicAnd)
APSP_OPERATION(atomicExch)

template <class T>
T atomicCAS(T* at, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  see(at, sizeof(T), __builtin_return_address(0));
  return plain::atomicCAS(at, expected, value);
}

#define APSP_OF(T)                                       \
  template T atomicMin<T>(T*, std::type_identity_t<T>);  \
  template T atomicMax<T>(T*, std::type_identity_t<T>);  \
  template T atomicAdd<T>(T*, std::type_identity_t<T>);  \
  template T atomicOr<T>(T*, std::type_identity_t<T>);   \
  template T atomicAnd<T>(T*, std::type_identity_t<T>);  \
  template T atomicExch<T>(T*, std::type_identity_t<T>); \
  template T atomicCAS<T>(T*, std::type_identity_t<T>, std::type_identity_t<T>);
APSP_OF(int)
APSP_OF(unsigned)
APSP_OF(long long)
APSP_OF(unsigned long long)
template unsigned short atomicCAS<unsigned short>(unsigned short*, unsigned short, unsigned short);

}  // namespace apsp_emulated::counted
