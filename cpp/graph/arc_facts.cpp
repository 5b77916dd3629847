#include "graph/arc_facts.hpp"

#include <algorithm>
#include <cmath>

namespace apsp::graph {
namespace {

constexpr std::int64_t kCheckEvery = 1 << 20, kLanes = 8;

// Of the weights in lanes, which do not wait for each other.
template <class Weight>
double lowest_highest_sum(const Weight* weights, std::int64_t count, Weight& smallest, Weight& largest) {
  Weight low[kLanes], high[kLanes];
  double sum[kLanes] = {};
  std::fill_n(low, kLanes, smallest);
  std::fill_n(high, kLanes, largest);
  const auto take = [&](std::int64_t lane, Weight weight) {
    low[lane] = weight < low[lane] ? weight : low[lane];
    high[lane] = weight > high[lane] ? weight : high[lane];
    sum[lane] += std::abs(static_cast<double>(weight));
  };
  std::int64_t arc = 0;
  for (; arc + kLanes <= count; arc += kLanes)
    for (std::int64_t lane = 0; lane < kLanes; ++lane) take(lane, weights[arc + lane]);
  for (std::int64_t lane = 0; arc < count; ++arc, ++lane) take(lane, weights[arc]);
  smallest = *std::min_element(low, low + kLanes);
  largest = *std::max_element(high, high + kLanes);
  double total = 0;
  for (const double part : sum) total += part;
  return total;
}

}  // namespace

template <class Weight>
ArcFacts<Weight> arc_facts(std::int64_t n, const std::int64_t* indptr, const std::int32_t* indices,
                           const Weight* weights, std::int64_t m, const Control& control) {
  ArcFacts<Weight> facts;
  if (m == 0) return facts;
  facts.smallest = facts.largest = weights[0];
  double sum = 0;
  for (std::int64_t from = 0; from < m; from += kCheckEvery) {
    control.check();
    sum += lowest_highest_sum(weights + from, std::min(m - from, kCheckEvery), facts.smallest, facts.largest);
  }
  const double longest =
      std::max(std::abs(static_cast<double>(facts.smallest)), std::abs(static_cast<double>(facts.largest)));
  facts.mean = std::min(sum / static_cast<double>(m), longest);  // (the sum may be infinite)
  if (facts.smallest > 0 || facts.largest < 0) return facts;
  for (std::int64_t v = 0; v < n && !facts.has_zero_arc; ++v) {
    if (v % kCheckEvery == 0) control.check();
    for (std::int64_t arc = indptr[v]; arc < indptr[v + 1]; ++arc)
      if (weights[arc] == 0 && indices[arc] != v) facts.has_zero_arc = true;
  }
  return facts;
}

#define APSP_INSTANTIATE(W)                                                                        \
  template ArcFacts<W> arc_facts(std::int64_t, const std::int64_t*, const std::int32_t*, const W*, \
                                 std::int64_t, const Control&);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
APSP_INSTANTIATE(float)
APSP_INSTANTIATE(double)
#undef APSP_INSTANTIATE

}  // namespace apsp::graph
