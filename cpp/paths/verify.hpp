// Checks distances (and predecessors) against the graph, sharing no code with any solver: in O(n + m) per
// row, and O(n + m log n) for floats with negative arcs.
#pragma once
#include <cstdint>
#include <optional>

#include "graph/csr.hpp"
#include "paths/float_tree.hpp"
#include "paths/tight.hpp"
#include "runtime/control.hpp"

namespace apsp::paths {

template <class T>
struct Claim {
  const std::int32_t* sources = nullptr;  // (rows,)
  std::int64_t rows = 0;
  const T* dist = nullptr;  // (rows, n), rows dist_stride apart
  std::int64_t dist_stride = 0;
  const std::int32_t* pred = nullptr;  // (rows, n) or nullptr
  std::int64_t pred_stride = 0;
  std::optional<Weight<T>> cutoff;  // itself included
};

struct Mismatch {
  std::int64_t row = -1;  // -1: everything holds
  std::int64_t vertex = -1;
};

// The first row that is wrong, and a vertex for which it is. Integers are compared exactly. A float distance
// d is correct if it is not longer than any path Q, and not shorter than some path P, by more than the
// allowed rounding error of Q and of P (see float_tree.hpp). Throws std::invalid_argument for a cutoff
// together with negative arcs: a path within the cutoff may then pass through vertices beyond it, which the
// row does not contain.
template <class T>
Mismatch verify_rows(const Csr& graph, const Weight<T>* weights, const Claim<T>& claim,
                     const Rounding& rounding, int threads, Control& control);

}  // namespace apsp::paths
