// The components of zero_components.hpp as plain arrays, which SIMD kernels read.
#pragma once
#include <cstdint>
#include <limits>

namespace apsp::graph {

// Numbers of components, and those of entries: see ZeroComponents.
constexpr std::int32_t kAlone = -1, kNoEntry = std::numeric_limits<std::int32_t>::max();

struct ZeroView {
  std::int64_t count = 0;
  const std::int32_t* component = nullptr;  // (n,); null: no arc has length zero
  const std::int32_t* before = nullptr;     // (n,)
  const std::int32_t* place = nullptr;      // (n,)
  const std::int32_t* start = nullptr;      // (count + 1,)
  const std::int32_t* members = nullptr;    // (start[count],)
};

}  // namespace apsp::graph
