// The steps of a panel that may be part of a least path of tuples, by their first costs. Included by
// kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "elimination/kernels.hpp"
#include "simd/marks.hpp"
#include "simd/operations.hpp"

namespace apsp::elimination::APSP_SIMD {

std::int64_t scan(double* best, const double* lines, const Lines& from, const double* step,
                  std::int64_t stride, Hit* hits) {
  using namespace simd::APSP_SIMD;
  using L = simd::APSP_SIMD::Lanes<double>;
  using Vector = L::Vector;
  constexpr int kParts = static_cast<int>(kScanLanes) / L::kCount;
  const double none = semiring::Bounds<double>::kNoPath;
  const Vector missing = none - Vector{};
  Vector least[kParts];
#pragma GCC unroll 8
  for (int part = 0; part < kParts; ++part) least[part] = L::load(best + part * L::kCount);
  std::int64_t count = 0;
  for (std::int64_t h = 0; h < from.count; ++h, step += stride) {
    if (!(*step < none)) continue;
    const std::int64_t line = from.list != nullptr ? from.list[h] : from.first + h;
    const double* near = lines + line * kScanLanes;
    const Vector first = *step - Vector{};
    std::uint32_t lanes = 0;
#pragma GCC unroll 8
    for (int part = 0; part < kParts; ++part) {
      const Vector sum = first + L::load(near + part * L::kCount);
      const auto counts = less<double>(sum, missing) & ~less<double>(least[part], sum);
      if (!any(counts)) continue;
      lanes |= bits<double>(counts) << (part * L::kCount);
      least[part] = min<double>(least[part], sum);
    }
    if (lanes != 0) hits[count++] = {static_cast<Vertex>(h), lanes};
  }
#pragma GCC unroll 8
  for (int part = 0; part < kParts; ++part) L::store(best + part * L::kCount, least[part]);
  return count;
}

}  // namespace apsp::elimination::APSP_SIMD
