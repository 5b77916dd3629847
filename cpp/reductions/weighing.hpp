// What sums over distances need: amounts of the vertices, cutoffs, and a function of the distance. Hansen
// 1959, "How accessibility shapes land use".
#pragma once
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace apsp::reductions {

enum class DecayKind : std::int32_t { kNone, kExponential, kGaussian, kLogistic, kPower, kLinear };

// A function of the distance that is 1 at 0 and falls.
struct Decay {
  DecayKind kind = DecayKind::kNone;
  double beta = 0, midpoint = 0;

  double operator()(double distance) const noexcept {
    switch (kind) {
      case DecayKind::kExponential:
        return std::exp(-beta * distance);
      case DecayKind::kGaussian:
        return std::exp(-beta * distance * distance);
      case DecayKind::kLogistic:
        return (1 + std::exp(-beta * midpoint)) / (1 + std::exp(beta * (distance - midpoint)));
      case DecayKind::kPower:
        return distance <= 1 ? 1.0 : std::pow(distance, -beta);
      case DecayKind::kLinear:
        return std::fmax(0.0, 1 - beta * distance);
      case DecayKind::kNone:
        break;
    }
    return 1.0;
  }
};

// sums[(i * cutoff_count + c) * kinds + k] is the sum of amount(v, k) * decay(d) over the vertices v at a
// distance d from source i of at most cutoffs[c].
template <class T>
struct Weighing {
  const double* amounts = nullptr;  // (n, kinds)
  std::int64_t kinds = 0;
  const T* cutoffs = nullptr;  // (cutoff_count), ascending, at least one
  std::int64_t cutoff_count = 0;
  Decay decay;
  double* sums = nullptr;

  T longest() const noexcept { return cutoffs[cutoff_count - 1]; }
  std::int64_t per_row() const noexcept { return cutoff_count * kinds; }
};

template <class T>
void check_weighing(const Weighing<T>& weighing) {
  if (weighing.cutoff_count < 1) throw std::invalid_argument("there must be a cutoff");
  for (std::int64_t c = 1; c < weighing.cutoff_count; ++c)
    if (!(weighing.cutoffs[c - 1] <= weighing.cutoffs[c]))
      throw std::invalid_argument("cutoffs must be ascending");
}

}  // namespace apsp::reductions
