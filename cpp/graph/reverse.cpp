#include "graph/reverse.hpp"

#include <algorithm>

namespace apsp::graph {

template <class Value>
void reverse(const Csr& graph, const Value* values, std::int64_t* into_indptr, std::int32_t* into_indices,
             Value* into_values, const Control& control) {
  constexpr std::int64_t kCheckEvery = 1 << 16;
  check_csr(graph);
  std::fill_n(into_indptr, graph.n + 1, 0);
  for (std::int64_t arc = 0; arc < graph.m; ++arc) ++into_indptr[graph.indices[arc] + 1];
  for (std::int64_t v = 0; v < graph.n; ++v) into_indptr[v + 1] += into_indptr[v];
  // Each start is moved on to the end of its vertex, which is the start of the next one.
  for (std::int64_t tail = 0; tail < graph.n; ++tail) {
    if (tail % kCheckEvery == 0) control.check();
    for (std::int64_t arc = graph.indptr[tail]; arc < graph.indptr[tail + 1]; ++arc) {
      const std::int64_t place = into_indptr[graph.indices[arc]]++;
      into_indices[place] = static_cast<std::int32_t>(tail);
      if (into_values != nullptr)
        into_values[place] = values != nullptr ? values[arc] : static_cast<Value>(arc);
    }
  }
  std::copy_backward(into_indptr, into_indptr + graph.n, into_indptr + graph.n + 1);
  into_indptr[0] = 0;
}

template void reverse(const Csr&, const double*, std::int64_t*, std::int32_t*, double*, const Control&);
template void reverse(const Csr&, const std::int32_t*, std::int64_t*, std::int32_t*, std::int32_t*,
                      const Control&);
template void reverse(const Csr&, const std::int64_t*, std::int64_t*, std::int32_t*, std::int64_t*,
                      const Control&);

}  // namespace apsp::graph
