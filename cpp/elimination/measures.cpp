#include "elimination/measures.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <type_traits>
#include <vector>

#include "elimination/batch.hpp"
#include "elimination/descent.hpp"
#include "rows/kernels.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kLanes = 64;

template <class T>
class Measuring {
 public:
  Measuring(const Factored<T>& factored, const std::int32_t* sources, std::int64_t count, T cutoff,
            const rows::RowSums& sums)
      : factored_(factored),
        tree_(factored.tree),
        sources_(sources),
        count_(count),
        sums_(sums),
        place_(places_of(factored.tree)),
        node_(nodes_of(factored.tree)),
        slots_(factored.tree, node_),
        sequence_(count) {
    std::iota(sequence_.begin(), sequence_.end(), std::int64_t{0});
    std::sort(sequence_.begin(), sequence_.end(),
              [&](std::int64_t a, std::int64_t b) { return place_[sources[a]] < place_[sources[b]]; });
    const T none = factored.nonnegative ? semiring::Bounds<T>::kNoPath : semiring::Bounds<T>::kLimit;
    ceiling_ = std::min(none, semiring::just_beyond(cutoff));
  }

  bool run(int threads, Control& control) {
    Team team(threads);
    std::vector<std::unique_ptr<Member>> members(static_cast<std::size_t>(team.size()));
    team.parallel_for((count_ + kLanes - 1) / kLanes, [&](std::int64_t index, int number) {
      auto& member = members[static_cast<std::size_t>(number)];
      if (!member)
        member.reset(new Member{Batch<T>(factored_, place_, node_, kLanes),
                                Descent<T>(factored_, slots_, kLanes), rows::BatchTallies(kLanes)});
      const std::int64_t from = index * kLanes, here = std::min(kLanes, count_ - from);
      measure(*member, from, here, control);
      control.advance(here);
    });
    return in_range_.load();
  }

 private:
  struct Member {
    Batch<T> batch;
    Descent<T> descent;
    rows::BatchTallies lanes;
  };

  void measure(Member& member, std::int64_t from, std::int64_t count, Control& control) {
    auto& [batch, descent, lanes] = member;
    std::vector<Vertex> sources;
    for (std::int64_t i = from; i < from + count; ++i) sources.push_back(sources_[sequence_[i]]);
    control.check();
    batch.up(sources.data(), count);
    const rows::LaneTallies tallies = lanes.begin();
    descent.run(batch, control, [&](const T* lines, std::int64_t first, std::int64_t some) {
      rows::tally(lines, kLanes, some, tree_.order + first, ceiling_, tallies);
    });
    batch.clear();
    if (std::is_signed_v<T> && lanes.least() <= -semiring::Bounds<T>::kLimit)
      in_range_.store(false, std::memory_order_relaxed);
    for (std::int64_t lane = 0; lane < count; ++lane) lanes.store(lane, sums_, sequence_[from + lane]);
  }

  const Factored<T>& factored_;
  const TreeView& tree_;
  const std::int32_t* sources_;
  std::int64_t count_;
  const rows::RowSums& sums_;
  std::vector<Vertex> place_, node_;
  Slots slots_;
  std::vector<std::int64_t> sequence_;  // of the sources: those that are close in the tree form a batch
  T ceiling_;
  std::atomic<bool> in_range_{true};
};

}  // namespace

template <class T>
bool measure_rows(const Factored<T>& factored, const std::int32_t* sources, std::int64_t count, T cutoff,
                  const rows::RowSums& sums, int threads, Control& control) {
  graph::check_vertices(sources, count, factored.tree.n, "sources");
  return Measuring<T>(factored, sources, count, cutoff, sums).run(threads, control);
}

template bool measure_rows(const Factored<std::uint16_t>&, const std::int32_t*, std::int64_t, std::uint16_t,
                           const rows::RowSums&, int, Control&);
template bool measure_rows(const Factored<std::int32_t>&, const std::int32_t*, std::int64_t, std::int32_t,
                           const rows::RowSums&, int, Control&);

}  // namespace apsp::elimination
