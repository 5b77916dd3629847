// Checks distances (and predecessors) against the graph, in O(n + m) a row, sharing no code with any solver.
#pragma once
#include <cstdint>
#include <optional>

#include "paths/tight.hpp"
#include "runtime/control.hpp"
#include "sparse/csr.hpp"

namespace apsp::paths {

template <class T>
struct Claim {
  const std::int32_t* sources = nullptr;  // (rows,)
  std::int64_t rows = 0;
  const T* dist = nullptr;  // (rows, n), rows dist_stride apart
  std::int64_t dist_stride = 0;
  const std::int32_t* pred = nullptr;  // (rows, n) or nullptr
  std::int64_t pred_stride = 0;
  std::optional<double> cutoff;
};

struct Mismatch {
  std::int64_t row = -1;  // -1: everything holds
  std::int64_t vertex = -1;
};

// The first row that is wrong, and a vertex where it is. tolerance: see Comparison; 0 and unused for
// integers. Throws std::invalid_argument for a cutoff together with negative arcs: a path within the cutoff
// may then pass through vertices beyond it, which the row does not show.
template <class T>
Mismatch verify_rows(const Csr& graph, const Weight<T>* weights, const Claim<T>& claim, double tolerance,
                     int threads, Control& control);

}  // namespace apsp::paths
