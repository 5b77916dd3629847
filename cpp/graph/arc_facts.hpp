// Facts on the weights of a graph for the choice of a method and a dtype: one pass over the arcs.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "runtime/control.hpp"

namespace apsp::graph {

template <class Weight>
struct ArcFacts {
  Weight smallest = 0, largest = 0;
  double mean = 1;            // of the absolute weights; 1 without arcs
  bool has_zero_arc = false;  // one that is not a self-loop
};

template <class Weight>
ArcFacts<Weight> arc_facts(std::int64_t n, const std::int64_t* indptr, const std::int32_t* indices,
                           const Weight* weights, std::int64_t m, const Control& control) {
  constexpr std::int64_t kCheckEvery = 1 << 20;
  ArcFacts<Weight> facts;
  if (m == 0) return facts;
  facts.smallest = facts.largest = weights[0];
  double sum = 0;
  for (std::int64_t from = 0; from < m; from += kCheckEvery) {
    control.check();
    double part = 0;
    for (std::int64_t arc = from; arc < std::min(m, from + kCheckEvery); ++arc) {
      facts.smallest = std::min(facts.smallest, weights[arc]);
      facts.largest = std::max(facts.largest, weights[arc]);
      part += std::abs(static_cast<double>(weights[arc]));
    }
    sum += part;
  }
  facts.mean = sum / static_cast<double>(m);
  if (facts.smallest > 0 || facts.largest < 0) return facts;
  for (std::int64_t v = 0; v < n && !facts.has_zero_arc; ++v) {
    if (v % kCheckEvery == 0) control.check();
    for (std::int64_t arc = indptr[v]; arc < indptr[v + 1]; ++arc)
      if (weights[arc] == 0 && indices[arc] != v) facts.has_zero_arc = true;
  }
  return facts;
}

}  // namespace apsp::graph
