#include "elimination/within.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "elimination/near.hpp"
#include "runtime/prefetch.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kLineBytes = 256;  // of the lanes of a batch: four vectors of AVX-512
constexpr std::int64_t kRecent = 64;      // lines that are added together

template <class T>
class Within {
 public:
  static constexpr std::int64_t kLanes = kLineBytes / static_cast<std::int64_t>(sizeof(T));

  Within(const Factored<T>& factored, const std::int32_t* sources, std::int64_t count,
         const reductions::Weighing<T>& weighing)
      : factored_(factored),
        sources_(sources),
        count_(count),
        weighing_(weighing),
        place_(places_of(factored.tree)),
        node_(nodes_of(factored.tree)),
        slots_(factored.tree, node_),
        children_(factored.tree),
        amounts_(static_cast<std::size_t>(factored.tree.n * weighing.kinds)),
        cutoffs_(weighing.cutoffs, weighing.cutoffs + weighing.cutoff_count),
        sequence_(count) {
    // "No path" is not within any cutoff.
    bound_ = std::min<T>(weighing.longest(), semiring::Bounds<T>::kNoPath - 1);
    for (std::int64_t& cutoff : cutoffs_) cutoff = std::min<std::int64_t>(cutoff, bound_);
    for (std::int64_t p = 0; p < factored.tree.n; ++p)
      std::copy_n(weighing.amounts + factored.tree.order[p] * weighing.kinds, weighing.kinds,
                  amounts_.data() + p * weighing.kinds);
    whole_ = weighing.decay.kind == reductions::DecayKind::kNone && all_whole();
    if (weighing.decay.kind != reductions::DecayKind::kNone)
      for (std::int64_t d = 0; d <= cutoffs_.back(); ++d)
        decayed_.push_back(weighing.decay(static_cast<double>(d)));
    std::iota(sequence_.begin(), sequence_.end(), std::int64_t{0});
    std::sort(sequence_.begin(), sequence_.end(), [&](std::int64_t a, std::int64_t b) {
      return std::pair(place_[sources[a]], a) < std::pair(place_[sources[b]], b);
    });
  }

  void run(int threads, Control& control) {
    Team team(threads);
    std::vector<std::unique_ptr<Member>> members(static_cast<std::size_t>(team.size()));
    team.parallel_for((count_ + kLanes - 1) / kLanes, [&](std::int64_t index, int number) {
      auto& member = members[static_cast<std::size_t>(number)];
      if (!member)
        member.reset(new Member{Near<T>(factored_, place_, node_, slots_, children_, kLanes, bound_),
                                buffer<T>(kRecent * kLanes),
                                std::vector<Vertex>(static_cast<std::size_t>(kRecent)),
                                std::vector<double>(static_cast<std::size_t>(weighing_.per_row() * kLanes))});
      const std::int64_t from = index * kLanes, here = std::min(kLanes, count_ - from);
      weigh(*member, from, here, control);
      control.advance(here);
    });
  }

 private:
  // Whether amounts are whole numbers from 0 on that doubles add up exactly.
  bool all_whole() const {
    std::vector<double> sums(static_cast<std::size_t>(weighing_.kinds));
    for (std::size_t i = 0; i < amounts_.size(); ++i) {
      double& sum = sums[i % sums.size()];
      sum += amounts_[i];
      if (!(amounts_[i] >= 0 && sum <= 0x1p53 && amounts_[i] == std::floor(amounts_[i]))) return false;
    }
    return true;
  }

  struct Member {
    Near<T> near;
    Buffer<T> recent;
    std::vector<Vertex> places;  // of the recent lines
    std::vector<double> sums;
  };

  void weigh(Member& member, std::int64_t from, std::int64_t count, Control& control) {
    std::vector<Vertex> sources;
    for (std::int64_t i = from; i < from + count; ++i) sources.push_back(sources_[sequence_[i]]);
    control.check();
    std::fill(member.sums.begin(), member.sums.end(), 0.0);
    const std::int64_t kinds = weighing_.kinds;
    const LaneSums to{member.sums.data(),
                      kinds,
                      weighing_.cutoff_count,
                      cutoffs_.data(),
                      decayed_.empty() ? nullptr : decayed_.data(),
                      whole_};
    const auto& kernel = kernels<T>(true);
    std::int64_t waiting = 0;
    const auto flush = [&] {
      kernel.weigh(member.recent.get(), kLanes, waiting, amounts_.data(), member.places.data(), to);
      waiting = 0;
    };
    member.near.run(sources.data(), count, control, [&](const T* line, std::int64_t place) {
      std::memcpy(member.recent.get() + waiting * kLanes, line, kLineBytes);
      member.places[waiting] = static_cast<Vertex>(place);
      prefetch(amounts_.data() + place * kinds);
      if (++waiting == kRecent) flush();
    });
    flush();
    for (std::int64_t lane = 0; lane < count; ++lane) {
      double* out = weighing_.sums + sequence_[from + lane] * weighing_.per_row();
      for (std::int64_t i = 0; i < weighing_.per_row(); ++i) out[i] = member.sums[i * kLanes + lane];
    }
  }

  const Factored<T>& factored_;
  const std::int32_t* sources_;
  std::int64_t count_;
  const reductions::Weighing<T>& weighing_;
  std::vector<Vertex> place_, node_;
  Slots slots_;
  ChildLists children_;
  std::vector<double> amounts_, decayed_;  // amounts (n, kinds) by place
  std::vector<std::int64_t> cutoffs_;
  std::vector<std::int64_t> sequence_;  // of the sources: those that are close in the tree form a batch
  T bound_;
  bool whole_;
};

}  // namespace

template <class T>
void weigh_within(const Factored<T>& factored, const std::int32_t* sources, std::int64_t count,
                  const reductions::Weighing<T>& weighing, int threads, Control& control) {
  graph::check_vertices(sources, count, factored.tree.n, "sources");
  reductions::check_weighing(weighing);
  if (!factored.nonnegative) throw std::invalid_argument("arcs must not be negative");
  if (factored.tree.n == 0) return;
  Within<T>(factored, sources, count, weighing).run(threads, control);
}

template void weigh_within(const Factored<std::uint16_t>&, const std::int32_t*, std::int64_t,
                           const reductions::Weighing<std::uint16_t>&, int, Control&);
template void weigh_within(const Factored<std::int32_t>&, const std::int32_t*, std::int64_t,
                           const reductions::Weighing<std::int32_t>&, int, Control&);

}  // namespace apsp::elimination
