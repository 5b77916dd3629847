#include "elimination/front.hpp"

#include <type_traits>

#include "floyd_warshall/floyd_warshall.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kFewColumns = 4, kWideFront = 256;     // or these
constexpr std::int64_t kTiledColumns = 24, kTiledFront = 64;  // from which on the tile kernels are faster

}  // namespace

template <class T>
std::int64_t Fronts<T>::close(T* out, T* in, T* rest, std::int64_t k, std::int64_t r, Team& team) const {
  const bool tiled = (k >= kTiledColumns && k + r >= kTiledFront) || (k >= kFewColumns && r >= kWideFront);
  return tiled ? by_tiles(out, in, rest, k, r, team) : by_pivots(out, in, rest, k, r);
}

// Small fronts: one column after the other, as in Floyd-Warshall.
template <class T>
std::int64_t Fronts<T>::by_pivots(T* out, T* in, T* rest, std::int64_t k, std::int64_t r) const {
  constexpr T kNone = semiring::Bounds<T>::kNoPath;
  const std::int64_t width = k + r;
  for (std::int64_t p = 0; p < k; ++p) {
    control_.check();
    const T* pivot = out + p * width;
    if constexpr (std::is_signed_v<T>)
      if (pivot[p] < T{0}) return p;
    for (std::int64_t i = 0; i < k; ++i)
      if (i != p && out[i * width + p] < kNone)
        kernels_.relax(out + i * width, pivot, out[i * width + p], width);
    for (std::int64_t h = 0; h < r; ++h) {
      const T value = in[h * k + p];
      if (!(value < kNone)) continue;
      kernels_.relax(in + h * k, pivot, value, k);
      if (rest != nullptr) kernels_.relax(rest + h * r, pivot + k, value, r);
    }
  }
  return -1;
}

template <class T>
std::int64_t Fronts<T>::by_tiles(T* out, T* in, T* rest, std::int64_t k, std::int64_t r, Team& team) const {
  using semiring::Algebra;
  const graph::Matrix<T> own{out, k, k, k + r}, to_rows{out + k, k, r, k + r}, to_columns{in, r, k, k};
  const auto& kernels = floyd_warshall::kernels<T>(Algebra::kMinPlus, nonnegative_);
  const std::int64_t bad = floyd_warshall::close(own, kernels, team, control_);
  if (bad >= 0 || r == 0) return bad;
  control_.check();
  floyd_warshall::update(to_rows, own, to_rows, kernels, team, control_);
  floyd_warshall::update(to_columns, to_columns, own, kernels, team, control_);
  if (rest == nullptr) return -1;
  const graph::Matrix<T> between{rest, r, r, r};
  floyd_warshall::update(between, to_columns, to_rows, kernels, team, control_);
  return -1;
}

#define APSP_INSTANTIATE(T) template class Fronts<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
