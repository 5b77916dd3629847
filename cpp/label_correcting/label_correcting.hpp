// Label correcting from many sources at once: one SIMD lane per source.
// Okuyama, Ino, Hagihara 2010, "A task parallel algorithm for finding all-pairs shortest paths using the
// GPU", section 4 (all sources relax an arc together); Meyer, Sanders 2003, "Delta-stepping" (windows of
// distances); Beamer, Asanovic, Patterson 2012, section 4 (gather if most vertices change).
#pragma once
#include <cstdint>
#include <memory>

#include "graph/csr.hpp"
#include "rows/request.hpp"
#include "rows/row_sums.hpp"
#include "runtime/control.hpp"

namespace apsp::label_correcting {

// Keeps the arcs, and measurements about them, from one call to the next; the graph and its weights are
// borrowed. One call at a time.
template <class T>
class LabelSolver {
 public:
  virtual ~LabelSolver() = default;
  // Advances control by the sources of each finished batch. Throws std::invalid_argument for sources or
  // targets out of range.
  virtual void rows(const rows::RowRequest<T>& request, int threads, Control& control) = 0;
  // Sums over the rows of all n distances, which are not stored: the sources and the cutoff of `request`
  // alone count. Throws std::invalid_argument for T other than uint16_t and int32_t, and with negative arcs.
  virtual void sums(const rows::RowRequest<T>& request, const rows::RowSums& sums, int threads,
                    Control& control) = 0;
};

// T: uint16_t, int32_t, int64_t, float or double. Integers are computed in the narrowest type in which no sum
// left the range. Throws std::invalid_argument for arrays that are not a graph, and for negative weights.
template <class T>
std::unique_ptr<LabelSolver<T>> label_solver(const graph::Csr& graph, const T* weights);

// With negative arcs. T: int32_t or int64_t, which must hold every distance. reduced (m,): weight +
// height[tail] - height[head], at least 0. distance = reduced length - height[source] + height[target].
template <class T>
std::unique_ptr<LabelSolver<T>> label_solver(const graph::Csr& graph, const std::int64_t* reduced,
                                             const std::int64_t* height);

}  // namespace apsp::label_correcting
