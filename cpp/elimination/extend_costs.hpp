// A line of tuples of costs from others: first costs in vectors over the lanes; then the other costs along
// the steps that won, which are few. Included by kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "elimination/kernels.hpp"
#include "runtime/prefetch.hpp"
#include "simd/marks.hpp"
#include "simd/operations.hpp"

namespace apsp::elimination::APSP_SIMD {

struct CostExtension {
  using L = simd::APSP_SIMD::Lanes<double>;
  using Vector = L::Vector;
  using Marks = simd::APSP_SIMD::Marks<double>;
  static constexpr int kParts = static_cast<int>(kCostLanes) / L::kCount;
  static constexpr double kNone = semiring::Bounds<double>::kNoPath;

  const CostLines& lines;
  const Lines& from;
  const CostSteps& steps;

  static Vector splat(double value) { return value - Vector{}; }
  std::int64_t line(std::int64_t h) const {
    return from.list != nullptr ? from.list[h] : static_cast<std::int64_t>(from.first) + h;
  }

  // The minima of the first costs, and the steps h that were at most the minimum of a lane so far. The last
  // hits are the least.
  std::int64_t scan(Vector (&least)[kParts], Vertex* hits) const {
    using namespace simd::APSP_SIMD;
    const Vector missing = splat(kNone);
    std::int64_t count = 0;
    for (std::int64_t h = 0; h < from.count; ++h) {
      const double step = steps.first[h * steps.stride];
      if (!(step < kNone)) continue;
      const double* near = lines.first + line(h) * lines.stride;
      bool hit = false;
#pragma GCC unroll 8
      for (int part = 0; part < kParts; ++part) {
        const Vector sum = splat(step) + L::load(near + part * L::kCount);
        hit |= any(less<double>(sum, missing) & ~less<double>(least[part], sum));
        least[part] = min<double>(least[part], sum);
      }
      hits[count] = static_cast<Vertex>(h);
      count += hit;
    }
    return count;
  }

  // The lanes among `tied` in which the other costs of the step are less than those of the line `to`.
  Marks better(Marks tied, const double* to, const double* near, const double* step) const {
    using namespace simd::APSP_SIMD;
    Marks found = tied & ~tied;
    for (std::int64_t c = 0; c < lines.kinds && any(tied); ++c) {
      const Vector sum = splat(step[c]) + L::load(near + c * lines.stride),
                   own = L::load(to + c * lines.stride);
      found = found | (tied & less<double>(sum, own));
      tied = tied & equal<double>(sum, own);
    }
    return found;
  }

  void run(std::int64_t to, Vertex* hits) const {
    using namespace simd::APSP_SIMD;
    double* own = lines.first + to * lines.stride;
    double* own_others = lines.others + to * lines.kinds * lines.stride;
    const Vector missing = splat(kNone);
    Vector least[kParts];
    Marks settled[kParts];  // lanes whose other costs belong to the least first cost
#pragma GCC unroll 8
    for (int part = 0; part < kParts; ++part) least[part] = L::load(own + part * L::kCount);
    const std::int64_t count = scan(least, hits);
    if (count == 0) return;
#pragma GCC unroll 8
    for (int part = 0; part < kParts; ++part)
      settled[part] = equal<double>(least[part], L::load(own + part * L::kCount));
    if (lines.kinds == 0) return keep(own, least);
    for (std::int64_t k = count - 1; k >= 0; --k) {
      const double* step = steps.others + hits[k] * steps.stride * lines.kinds;
      prefetch(step);
      prefetch(step + lines.kinds - 1);
    }
    for (std::int64_t k = count - 1; k >= 0; --k) {
      const std::int64_t h = hits[k], at = line(h);
      const Vector step = splat(steps.first[h * steps.stride]);
      const double* near = lines.first + at * lines.stride;
      const double* near_others = lines.others + at * lines.kinds * lines.stride;
      const double* step_others = steps.others + h * steps.stride * lines.kinds;
#pragma GCC unroll 8
      for (int part = 0; part < kParts; ++part) {
        const int lane = part * L::kCount;
        const Vector sum = step + L::load(near + lane);
        const Marks won = equal<double>(sum, least[part]) & less<double>(sum, missing);
        if (!any(won)) continue;
        Marks taken = won & ~settled[part];
        if (any(won & settled[part]))
          taken = taken | better(won & settled[part], own_others + lane, near_others + lane, step_others);
        settled[part] = settled[part] | won;
        if (!any(taken)) continue;
        for (std::int64_t c = 0; c < lines.kinds; ++c) {
          double* cost = own_others + c * lines.stride + lane;
          const Vector value = splat(step_others[c]) + L::load(near_others + c * lines.stride + lane);
          L::store(cost, pick<double>(taken, value, L::load(cost)));
        }
      }
    }
    keep(own, least);
  }

  static void keep(double* own, const Vector (&least)[kParts]) {
#pragma GCC unroll 8
    for (int part = 0; part < kParts; ++part) L::store(own + part * L::kCount, least[part]);
  }
};

void extend_costs(const CostLines& lines, std::int64_t to, const Lines& from, const CostSteps& steps,
                  Vertex* hits) {
  CostExtension{lines, from, steps}.run(to, hits);
}

}  // namespace apsp::elimination::APSP_SIMD
