#include "graph/weighted_arcs.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace apsp::graph {
namespace {

[[noreturn]] void refuse(double weight) {
  throw std::invalid_argument("an arc of length " + std::to_string(weight) +
                              " is out of the range that the dtype of the distances allows");
}

// The integers from `least` to `most` as kernel values, and larger ones as `most` if `clip`. False if there
// are others; their position is not returned, so that the loop can be vectorised.
template <class T, class W>
bool read_integers(const W* weights, std::int64_t count, std::int64_t least, std::int64_t most, bool clip,
                   T* out) {
  const W low = static_cast<W>(std::max<std::int64_t>(least, std::numeric_limits<W>::min()));
  const W high = static_cast<W>(std::min<std::int64_t>(most, std::numeric_limits<W>::max()));
  W outside = 0;
  for (std::int64_t arc = 0; arc < count; ++arc) {
    const W weight = weights[arc];
    outside |= static_cast<W>(weight < low) | static_cast<W>(!clip & (weight > high));
    out[arc] = static_cast<T>(weight > high ? high : weight);
  }
  return outside == 0;
}

template <class T, class W>
void read_as(const WeightedArcs& arcs, semiring::Algebra algebra, std::int64_t first, std::int64_t count,
             T* out) {
  const W* weights = static_cast<const W*>(arcs.weights) + first;
  if constexpr (std::is_floating_point_v<T>) {
    for (std::int64_t arc = 0; arc < count; ++arc) out[arc] = static_cast<T>(weights[arc]);
  } else if constexpr (std::is_floating_point_v<W>) {
    throw std::invalid_argument("integer distances need integer weights");
  } else {
    const bool sums = algebra == semiring::Algebra::kMinPlus;
    const std::int64_t shortest =
        std::is_signed_v<T> ? 1 - static_cast<std::int64_t>(semiring::Bounds<T>::kLimit) : 0;
    const std::int64_t least = sums ? shortest : static_cast<std::int64_t>(semiring::smallest_value<T>());
    const std::int64_t most =
        static_cast<std::int64_t>(sums ? semiring::Bounds<T>::kNoPath : semiring::largest_value<T>());
    if (read_integers(weights, count, least, most, sums, out)) return;
    for (std::int64_t arc = 0; arc < count; ++arc)
      if (weights[arc] < least || (!sums && weights[arc] > most)) refuse(static_cast<double>(weights[arc]));
  }
}

}  // namespace

void check_indptr(const WeightedArcs& arcs, std::int64_t m) {
  if (arcs.indptr[0] != 0 || arcs.indptr[arcs.n] != m)
    throw std::invalid_argument("indptr must begin with 0 and end with the number of arcs");
  for (std::int64_t v = 0; v < arcs.n; ++v)
    if (arcs.indptr[v + 1] < arcs.indptr[v]) throw std::invalid_argument("indptr must never fall");
}

void check_heads(const WeightedArcs& arcs, std::int64_t first, std::int64_t count) {
  const auto n =
      static_cast<std::int32_t>(std::min<std::int64_t>(arcs.n, std::numeric_limits<std::int32_t>::max()));
  bool outside = false;
  for (std::int64_t arc = first; arc < first + count; ++arc)
    outside |= (arcs.indices[arc] < 0) | (arcs.indices[arc] >= n);
  if (outside) throw std::invalid_argument("an arc leads to a vertex that does not exist");
}

template <class T>
void read_weights(const WeightedArcs& arcs, semiring::Algebra algebra, std::int64_t first, std::int64_t count,
                  T* out) {
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

template void read_weights(const WeightedArcs&, semiring::Algebra, std::int64_t, std::int64_t,
                           std::uint16_t*);
template void read_weights(const WeightedArcs&, semiring::Algebra, std::int64_t, std::int64_t, std::int32_t*);
template void read_weights(const WeightedArcs&, semiring::Algebra, std::int64_t, std::int64_t, std::int64_t*);
template void read_weights(const WeightedArcs&, semiring::Algebra, std::int64_t, std::int64_t, float*);
template void read_weights(const WeightedArcs&, semiring::Algebra, std::int64_t, std::int64_t, double*);

}  // namespace apsp::graph
