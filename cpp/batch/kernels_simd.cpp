// Floyd-Warshall with predecessors, whole vectors of a row at a time. Compiled once per instruction set: see
// simd/dispatch.hpp.
#include "batch/kernels.hpp"
#include "simd/lanes.hpp"
#include "simd/operations.hpp"

namespace apsp::batch::APSP_SIMD {

using namespace simd::APSP_SIMD;
using Index = std::int64_t;

// One pivot at a time up to this number of vertices: rounds as the kernels without predecessors do. The
// matrices of a larger graph do not stay in the first-level cache: each pass over them serves more pivots.
constexpr Index kOneByOne = 128;
constexpr int kGroup = 8;

template <class Ops>
struct Closing {
  using T = typename Ops::Value;
  using L = Lanes<T>;
  using Vector = typename L::Vector;
  using LN = Lanes<Number<T>>;
  using Numbers = typename LN::Vector;

  const Tracked<T> m;

  template <class V>
  static auto is_better(V a, V b) {
    if constexpr (Ops::kAlgebra == semiring::Algebra::kMaxMin)
      return a > b;
    else
      return a < b;
  }

  static bool is_negative(T own) {
    if constexpr (Ops::kAlgebra == semiring::Algebra::kMinPlus && std::is_signed_v<T>) return own < T{0};
    return false;
  }

  // Row i through each of the pivots from `first` on, which are other rows.
  template <int kPivots>
  void relax(Index i, Index first) const {
    Vector value[kPivots];
#pragma GCC unroll 8
    for (int p = 0; p < kPivots; ++p) value[p] = L::splat(L::pack(m.dist[i * m.width + first + p]));
    T* dist = m.dist + i * m.width;
    Number<T>* pred = m.pred + i * m.width;
    const T* pivot_dist = m.dist + first * m.width;
    const Number<T>* pivot_pred = m.pred + first * m.width;
    for (Index j = 0; j < m.width; j += L::kCount) {
      Vector best = L::load(dist + j);
      Numbers before = LN::load(pred + j);
#pragma GCC unroll 8
      for (int p = 0; p < kPivots; ++p) {
        const Vector candidate = Ops::join(value[p], L::load(pivot_dist + p * m.width + j));
        const auto better = is_better(candidate, best);
        best = better ? candidate : best;
        before = better ? LN::load(pivot_pred + p * m.width + j) : before;
      }
      L::store(dist + j, best);
      LN::store(pred + j, before);
    }
  }

  // Closes the graph through the pivots of a group. Returns -1, or a pivot on a negative closed walk.
  template <int kPivots>
  Index pass(Index first) const {
    for (Index k = first; k < first + kPivots; ++k) {
      if (is_negative(m.dist[k * m.width + k])) return k;
      for (Index i = first; i < first + kPivots; ++i)
        if (i != k) relax<1>(i, k);
    }
    for (Index i = 0; i < m.size; ++i)
      if (i < first || i >= first + kPivots) relax<kPivots>(i, first);
    return -1;
  }

  Index run() const {
    Index bad = -1, first = 0;
    if (m.size > kOneByOne)
      for (; first + kGroup <= m.size && bad < 0; first += kGroup) bad = pass<kGroup>(first);
    for (; first < m.size && bad < 0; ++first) bad = pass<1>(first);
    return bad;
  }
};

template <class T>
std::int64_t close(const Tracked<T>& matrix, semiring::Algebra algebra) {
  if (algebra == semiring::Algebra::kMaxMin) return Closing<MaxMin<T>>{matrix}.run();
  if (algebra == semiring::Algebra::kMinMax) return Closing<MinMax<T>>{matrix}.run();
  return Closing<MinPlus<T>>{matrix}.run();
}

template std::int64_t close(const Tracked<std::uint16_t>&, semiring::Algebra);
template std::int64_t close(const Tracked<std::int32_t>&, semiring::Algebra);
template std::int64_t close(const Tracked<std::int64_t>&, semiring::Algebra);
template std::int64_t close(const Tracked<float>&, semiring::Algebra);
template std::int64_t close(const Tracked<double>&, semiring::Algebra);

}  // namespace apsp::batch::APSP_SIMD
