#include "elimination/pairs.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "elimination/pair.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kTask = 256;  // pairs: some milliseconds

}  // namespace

std::vector<std::int64_t> by_source(const std::vector<Vertex>& place, const Vertex* sources,
                                    std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  if (count < static_cast<std::int64_t>(place.size() / 16)) {
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return std::pair(place[sources[a]], a) < std::pair(place[sources[b]], b);
    });
    return order;
  }
  std::vector<std::int64_t> first(place.size() + 1);
  for (std::int64_t i = 0; i < count; ++i) ++first[static_cast<std::size_t>(place[sources[i]]) + 1];
  for (std::size_t p = 0; p + 1 < first.size(); ++p) first[p + 1] += first[p];
  for (std::int64_t i = 0; i < count; ++i) order[first[place[sources[i]]]++] = i;
  return order;
}

template <class T>
void fill_pairs(const Factored<T>& factored, const Vertex* sources, const Vertex* targets, std::int64_t count,
                T* dist, Team& team, Control& control) {
  const std::vector<Vertex> place = places_of(factored.tree), node = nodes_of(factored.tree);
  const std::vector<std::int64_t> order = by_source(place, sources, count);
  std::vector<std::unique_ptr<PairSearch<T>>> searches(static_cast<std::size_t>(team.size()));
  const bool mirrored = is_worth(count, factored.tree) && is_mirrored(factored.tree, factored.values);
  for (auto& search : searches) search = std::make_unique<PairSearch<T>>(factored, place, node, mirrored);
  team.parallel_for((count + kTask - 1) / kTask, [&](std::int64_t task, int member) {
    PairSearch<T>& search = *searches[static_cast<std::size_t>(member)];
    const std::int64_t last = std::min(count, (task + 1) * kTask);
    Vertex climbed = -1;
    for (std::int64_t i = task * kTask; i < last; ++i) {
      if (i % 16 == 0) control.check();
      const std::int64_t pair = order[i];
      if (sources[pair] != climbed) search.from(climbed = sources[pair]);
      const T found = search.to(targets[pair]);
      // Rounding may make a cycle negative: there is none.
      dist[pair] = sources[pair] == targets[pair] && found < T{0} ? T{0} : found;
    }
    control.advance(last - task * kTask);
  });
}

#define APSP_INSTANTIATE(T)                                                                           \
  template void fill_pairs(const Factored<T>&, const Vertex*, const Vertex*, std::int64_t, T*, Team&, \
                           Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
