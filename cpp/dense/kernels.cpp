#include "dense/kernels.hpp"

#include <stdexcept>

namespace apsp::dense {

Algebra algebra_from_name(std::string_view name) {
  if (name == "min_plus") return Algebra::kMinPlus;
  if (name == "max_min") return Algebra::kMaxMin;
  if (name == "min_max") return Algebra::kMinMax;
  throw std::invalid_argument("unknown semiring '" + std::string(name) + "': min_plus, max_min or min_max");
}

template <class T>
const Kernels<T>& kernels(Algebra algebra, bool nonnegative) {
#if defined(__x86_64__)
  if (isa() == Isa::kAvx512) return avx512::table<T>(algebra, nonnegative);
  if (isa() == Isa::kAvx2) return avx2::table<T>(algebra, nonnegative);
#endif
  return baseline::table<T>(algebra, nonnegative);
}

template <class T>
std::uint32_t search_lanes(const LaneSearch<T>& search) {
#if defined(__x86_64__)
  if (isa() == Isa::kAvx512) return avx512::search(search);
  if (isa() == Isa::kAvx2) return avx2::search(search);
#endif
  return baseline::search(search);
}

template std::uint32_t search_lanes(const LaneSearch<std::uint16_t>&);
template std::uint32_t search_lanes(const LaneSearch<std::int32_t>&);
template std::uint32_t search_lanes(const LaneSearch<std::int64_t>&);
template std::uint32_t search_lanes(const LaneSearch<float>&);
template std::uint32_t search_lanes(const LaneSearch<double>&);

template const Kernels<std::uint16_t>& kernels<std::uint16_t>(Algebra, bool);
template const Kernels<std::int32_t>& kernels<std::int32_t>(Algebra, bool);
template const Kernels<std::int64_t>& kernels<std::int64_t>(Algebra, bool);
template const Kernels<float>& kernels<float>(Algebra, bool);
template const Kernels<double>& kernels<double>(Algebra, bool);

}  // namespace apsp::dense
