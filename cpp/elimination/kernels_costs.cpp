// The kernels of elimination for tuples of costs: only `relax`. Few sums are better in the first cost, so
// that the others are rarely read.
#include "elimination/kernels.hpp"
#include "semiring/costs.hpp"

namespace apsp::elimination {
namespace {

template <class T>
void relax(T* row, const T* pivot, T value, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) {
    if (value.at[0] + pivot[j].at[0] > row[j].at[0]) continue;
    const T sum = value + pivot[j];
    if (sum < row[j]) row[j] = sum;
  }
}

}  // namespace

template <class T>
const Kernels<T>& kernels(bool) {
  static constexpr Kernels<T> table{.lanes = 1,
                                    .extend = nullptr,
                                    .relax = &relax<T>,
                                    .meet = nullptr,
                                    .read_off = nullptr,
                                    .tally = nullptr};
  return table;
}

#define APSP_INSTANTIATE(T) template const Kernels<T>& kernels<T>(bool);
APSP_FOR_COSTS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
