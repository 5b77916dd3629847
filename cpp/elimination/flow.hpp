// The smallest and the lightest sets of vertices that separate two sides.
#pragma once
#include <cstdint>
#include <vector>

#include "elimination/neighbours.hpp"
#include "runtime/control.hpp"

namespace apsp::elimination {

// The vertices between a source and a sink, which are joined to some of them. The graph is symmetric.
struct Between {
  std::vector<std::int64_t> start;  // (k + 1)
  std::vector<Vertex> other;
  std::vector<std::uint8_t> at_source, at_sink;  // (k)

  Vertex k() const noexcept { return static_cast<Vertex>(at_source.size()); }
};

// The best separators: (k) 0 and 1 for the vertices on the side of the source and of the sink, kSeparator for
// those of the separator that is nearest to the source, or to the sink.
struct Cuts {
  std::int64_t mass = 0;  // of each of the two
  std::vector<std::uint8_t> nearest_source, nearest_sink;
};

// Of the fewest vertices: as many as there are disjoint paths from the source to the sink (Menger's theorem).
Cuts smallest_cuts(const Between& graph, const Control& control);

// Of the least mass, of vertices with masses (k). Slower than `smallest_cuts`, which is for masses of 1.
Cuts lightest_cuts(const Between& graph, const std::vector<std::int64_t>& mass, const Control& control);

}  // namespace apsp::elimination
