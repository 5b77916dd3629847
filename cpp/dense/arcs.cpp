#include "dense/arcs.hpp"

#include <stdexcept>
#include <string>
#include <type_traits>

namespace apsp::dense {
namespace {

template <class T>
[[noreturn]] void refuse(double weight) {
  throw std::invalid_argument("an arc of length " + std::to_string(weight) +
                              " is out of the range that the dtype of the distances allows");
}

template <class T, class W>
T kernel_value(W weight, Algebra algebra) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(weight);
  } else {
    if constexpr (std::is_floating_point_v<W>) {
      throw std::invalid_argument("integer distances need integer weights");
    } else {
      const auto wide = static_cast<std::int64_t>(weight);
      if (algebra == Algebra::kMinPlus) {
        if (wide >= static_cast<std::int64_t>(Bounds<T>::kNoPath)) return Bounds<T>::kNoPath;
        const std::int64_t least = std::is_signed_v<T> ? -static_cast<std::int64_t>(Bounds<T>::kLimit) : 0;
        if (wide <= least && wide < 0) refuse<T>(static_cast<double>(wide));
      } else if (wide < static_cast<std::int64_t>(smallest_value<T>()) ||
                 wide > static_cast<std::int64_t>(largest_value<T>())) {
        refuse<T>(static_cast<double>(wide));
      }
      return static_cast<T>(wide);
    }
  }
}

template <class T, class W>
void read_as(const Arcs& arcs, Algebra algebra, std::int64_t first, std::int64_t count, T* out) {
  const W* weights = static_cast<const W*>(arcs.weights) + first;
  for (std::int64_t arc = 0; arc < count; ++arc) out[arc] = kernel_value<T, W>(weights[arc], algebra);
}

}  // namespace

void check_arcs(const Arcs& arcs, std::int64_t m) {
  if (arcs.indptr[0] != 0 || arcs.indptr[arcs.n] != m)
    throw std::invalid_argument("indptr must begin with 0 and end with the number of arcs");
  for (std::int64_t v = 0; v < arcs.n; ++v)
    if (arcs.indptr[v + 1] < arcs.indptr[v]) throw std::invalid_argument("indptr must never fall");
  bool inside = true;
  for (std::int64_t arc = 0; arc < m; ++arc)
    inside &= static_cast<std::uint64_t>(static_cast<std::int64_t>(arcs.indices[arc])) <
              static_cast<std::uint64_t>(arcs.n);
  if (!inside) throw std::invalid_argument("an arc leads to a vertex that does not exist");
}

template <class T>
void read_weights(const Arcs& arcs, Algebra algebra, std::int64_t first, std::int64_t count, T* out) {
  switch (arcs.type) {
    case WeightType::kNone:
      for (std::int64_t arc = 0; arc < count; ++arc) out[arc] = T{1};
      return;
    case WeightType::kInt32:
      return read_as<T, std::int32_t>(arcs, algebra, first, count, out);
    case WeightType::kInt64:
      return read_as<T, std::int64_t>(arcs, algebra, first, count, out);
    case WeightType::kFloat32:
      return read_as<T, float>(arcs, algebra, first, count, out);
    case WeightType::kFloat64:
      return read_as<T, double>(arcs, algebra, first, count, out);
  }
}

template void read_weights(const Arcs&, Algebra, std::int64_t, std::int64_t, std::uint16_t*);
template void read_weights(const Arcs&, Algebra, std::int64_t, std::int64_t, std::int32_t*);
template void read_weights(const Arcs&, Algebra, std::int64_t, std::int64_t, std::int64_t*);
template void read_weights(const Arcs&, Algebra, std::int64_t, std::int64_t, float*);
template void read_weights(const Arcs&, Algebra, std::int64_t, std::int64_t, double*);

}  // namespace apsp::dense
