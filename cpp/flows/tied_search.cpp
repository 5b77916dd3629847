#include "flows/tied_search.hpp"

#include <algorithm>

namespace apsp::flows {

template <class T>
void order_zeros(const LengthTask<T>& task, const T* labels, std::vector<std::int32_t>& order) {
  std::stable_sort(order.begin() + 1, order.end(), [&](std::int32_t a, std::int32_t b) {
    if (labels[a] != labels[b]) return labels[a] < labels[b];
    return task.zeros.rank(task.arcs.original(a)) < task.zeros.rank(task.arcs.original(b));
  });
}

template void order_zeros(const LengthTask<std::int32_t>&, const std::int32_t*, std::vector<std::int32_t>&);
template void order_zeros(const LengthTask<std::int64_t>&, const std::int64_t*, std::vector<std::int32_t>&);
template void order_zeros(const LengthTask<double>&, const double*, std::vector<std::int32_t>&);

}  // namespace apsp::flows
