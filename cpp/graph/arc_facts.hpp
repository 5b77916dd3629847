// Facts on the weights of a graph for the choice of a method and a dtype: one pass over the arcs.
#pragma once
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
                           const Weight* weights, std::int64_t m, const Control& control);

}  // namespace apsp::graph
