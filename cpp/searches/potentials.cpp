#include "searches/potentials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "searches/bellman_ford.hpp"

namespace apsp::searches {
namespace {

__extension__ typedef __int128 Wide;

template <class Int>
std::vector<std::int32_t> integer_potentials(const graph::Csr& graph, const std::int64_t* weights,
                                             std::int64_t* reduced, std::int64_t* height, Control& control) {
  std::vector<Int> exact;
  auto cycle =
      heights<Int>(graph, [&](std::int64_t a) { return static_cast<Int>(weights[a]); }, exact, control);
  if (!cycle.empty()) return cycle;
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t u = 0; u < graph.n; ++u) {
    if (exact[u] < static_cast<Int>(kLowest)) throw std::overflow_error("a potential is below -2^63");
    height[u] = static_cast<std::int64_t>(exact[u]);
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
      const Wide value = static_cast<Wide>(weights[a]) + exact[u] - exact[graph.indices[a]];
      if (value >= kHighest) throw std::overflow_error("a reduced weight is beyond 2^63");
      reduced[a] = static_cast<std::int64_t>(value);
    }
  }
  return {};
}

}  // namespace

std::vector<std::int32_t> potentials(const graph::Csr& graph, const std::int64_t* weights,
                                     std::int64_t* reduced, std::int64_t* height, Control& control) {
  graph::check_csr(graph);
  double largest = 0;
  for (std::int64_t a = 0; a < graph.m; ++a)
    largest = std::max(largest, std::abs(static_cast<double>(weights[a])));
  const bool narrow = largest * (2.0 * static_cast<double>(graph.n) + 2) < 4e18;  // below 2^62
  return narrow ? integer_potentials<std::int64_t>(graph, weights, reduced, height, control)
                : integer_potentials<Wide>(graph, weights, reduced, height, control);
}

}  // namespace apsp::searches
