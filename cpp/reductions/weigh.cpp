#include "reductions/weigh.hpp"

#include <algorithm>
#include <vector>

#include "reductions/kernels.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"
#include "semiring/length.hpp"

namespace apsp::reductions {
namespace {

constexpr std::int64_t kChunk = 512;  // columns at a time, whose factors stay in the first-level cache

}  // namespace

template <class T>
void weigh_rows(const DistanceRows<T>& rows, const Weighing<T>& weighing, int threads, Control& control) {
  check_weighing(weighing);
  // The amounts of a kind contiguous, as the inner loop reads them.
  const std::int64_t columns = rows.columns, kinds = weighing.kinds;
  std::vector<double> amounts(static_cast<std::size_t>(columns * kinds));
  for (std::int64_t v = 0; v < columns; ++v)
    for (std::int64_t k = 0; k < kinds; ++k) amounts[k * columns + v] = weighing.amounts[v * kinds + k];
  const Kernels<T>& kernel = kernels<T>();
  Team team(threads);
  team.parallel_for(rows.rows, [&](std::int64_t i, int) {
    double decayed[kChunk], factors[kChunk];
    double* sums = weighing.sums + i * weighing.per_row();
    std::fill_n(sums, weighing.per_row(), 0.0);
    for (std::int64_t from = 0; from < columns; from += kChunk) {
      if (from % (kChunk << 8) == 0) control.check();
      const std::int64_t count = std::min(kChunk, columns - from);
      const T* row = rows.data + i * rows.stride + from;
      const bool has_decay = weighing.decay.kind != DecayKind::kNone;
      if (has_decay)
        for (std::int64_t j = 0; j < count; ++j)
          decayed[j] = row[j] < semiring::kNoPath<T> && row[j] <= weighing.longest()
                           ? weighing.decay(static_cast<double>(row[j]))
                           : 0.0;
      for (std::int64_t c = 0; c < weighing.cutoff_count; ++c) {
        kernel.within(row, count, weighing.cutoffs[c], has_decay ? decayed : nullptr, factors);
        for (std::int64_t k = 0; k < kinds; ++k)
          sums[c * kinds + k] += kernel.dot(factors, amounts.data() + k * columns + from, count);
      }
    }
  });
}

#define APSP_INSTANTIATE(T) \
  template void weigh_rows<T>(const DistanceRows<T>&, const Weighing<T>&, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::reductions
