#include "elimination/kernels.hpp"

#include "runtime/isa.hpp"

namespace apsp::elimination {

template <class T>
const Kernels<T>& kernels(bool nonnegative) {
#if defined(__x86_64__)
  if (isa() == Isa::kAvx512) return avx512::table<T>(nonnegative);
  if (isa() == Isa::kAvx2) return avx2::table<T>(nonnegative);
#endif
  return baseline::table<T>(nonnegative);
}

template const Kernels<std::uint16_t>& kernels<std::uint16_t>(bool);
template const Kernels<std::int32_t>& kernels<std::int32_t>(bool);
template const Kernels<std::int64_t>& kernels<std::int64_t>(bool);
template const Kernels<float>& kernels<float>(bool);
template const Kernels<double>& kernels<double>(bool);

}  // namespace apsp::elimination
