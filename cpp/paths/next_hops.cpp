#include "paths/next_hops.hpp"

#include <stdexcept>
#include <string>

#include "paths/chains.hpp"
#include "runtime/team.hpp"

namespace apsp::paths {

void next_hops(const std::int32_t* before, std::int64_t before_stride, std::int64_t rows, std::int64_t n,
               std::int32_t* first, std::int64_t first_stride, int threads, Control& control) {
  Team team(threads);
  team.parallel_for(rows, [&](std::int64_t row, int) {
    control.check();
    const std::int64_t wrong = first_steps(before + row * before_stride, n, first + row * first_stride);
    if (wrong >= 0)
      throw std::invalid_argument("the predecessors of row " + std::to_string(row) + " lead from vertex " +
                                  std::to_string(wrong) + " to no source");
    control.advance(1);
  });
}

}  // namespace apsp::paths
