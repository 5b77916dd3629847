#include "elimination/rows.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <type_traits>
#include <vector>

#include "elimination/batch.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kLineBytes = 256;  // of the lanes of a batch: four vectors of AVX-512

// Sources per batch: the best number, or fewer if there are few.
template <class T>
std::int64_t lanes_for(std::int64_t count, int threads) {
  const std::int64_t vector = kernels<T>(false).lanes;
  std::int64_t lanes = kLineBytes / static_cast<std::int64_t>(sizeof(T));
  while (lanes > vector && lanes * threads >= 2 * count) lanes /= 2;
  return lanes;
}

template <class T>
class Filling {
 public:
  Filling(const Factored<T>& factored, const rows::RowRequest<T>& request, int threads)
      : factored_(factored),
        request_(request),
        place_(places_of(factored.tree)),
        node_(nodes_of(factored.tree)),
        lanes_(lanes_for<T>(request.count, threads)),
        sequence_(request.count) {
    std::iota(sequence_.begin(), sequence_.end(), std::int64_t{0});
    std::sort(sequence_.begin(), sequence_.end(), [&](std::int64_t a, std::int64_t b) {
      return place_[request.sources[a]] < place_[request.sources[b]];
    });
    if (request.targets == nullptr) {
      wanted_ = place_;
    } else {
      for (std::int64_t j = 0; j < request.columns; ++j) wanted_.push_back(place_[request.targets[j]]);
    }
    list_down();
  }

  bool run(int threads, Control& control) {
    Team team(threads);
    std::vector<std::unique_ptr<Batch<T>>> batches(static_cast<std::size_t>(team.size()));
    team.parallel_for((request_.count + lanes_ - 1) / lanes_, [&](std::int64_t index, int member) {
      auto& batch = batches[static_cast<std::size_t>(member)];
      if (!batch) batch = std::make_unique<Batch<T>>(factored_, place_, node_, lanes_);
      fill(*batch, index * lanes_, std::min(lanes_, request_.count - index * lanes_), control);
      control.advance(std::min(lanes_, request_.count - index * lanes_));
    });
    return in_range_.load();
  }

 private:
  // The supernodes of the targets and their ancestors, parents first.
  void list_down() {
    const TreeView& tree = factored_.tree;
    std::vector<bool> needed(static_cast<std::size_t>(tree.nodes), request_.targets == nullptr);
    if (request_.targets != nullptr)
      for (const Vertex place : wanted_)
        for (Vertex s = node_[place]; s >= 0 && !needed[s]; s = tree.parent[s]) needed[s] = true;
    for (std::int64_t s = tree.nodes - 1; s >= 0; --s)
      if (needed[s]) down_.push_back(static_cast<Vertex>(s));
  }

  void fill(Batch<T>& batch, std::int64_t from, std::int64_t count, Control& control) {
    std::vector<Vertex> sources;
    std::vector<T*> out;
    for (std::int64_t i = from; i < from + count; ++i) {
      sources.push_back(request_.sources[sequence_[i]]);
      out.push_back(request_.dist + sequence_[i] * request_.dist_stride);
    }
    control.check();
    batch.up(sources.data(), count);
    for (std::size_t i = 0; i < down_.size(); ++i) {
      if (i % 1024 == 0) control.check();
      batch.down(down_[i]);
    }
    batch.clear();
    const T least = kernels<T>(factored_.nonnegative)
                        .read_off(batch.lines(), lanes_, count, wanted_.data(), request_.columns, ceiling(),
                                  semiring::kNoPath<T>, out.data());
    if (std::is_signed_v<T> && std::is_integral_v<T> && least <= -semiring::Bounds<T>::kLimit)
      in_range_.store(false, std::memory_order_relaxed);
  }

  // Values from this one on are reported as "no path".
  T ceiling() const {
    const T none = factored_.nonnegative ? semiring::Bounds<T>::kNoPath : semiring::Bounds<T>::kLimit;
    return std::min(none, semiring::just_beyond(request_.cutoff));
  }

  const Factored<T>& factored_;
  const rows::RowRequest<T>& request_;
  std::vector<Vertex> place_, node_, wanted_, down_;
  std::int64_t lanes_;
  std::vector<std::int64_t> sequence_;  // of the sources: those that are close in the tree form a batch
  std::atomic<bool> in_range_{true};
};

}  // namespace

template <class T>
bool fill_rows(const Factored<T>& factored, const rows::RowRequest<T>& request, int threads,
               Control& control) {
  rows::check_request(request, factored.tree.n);
  if (request.count == 0 || request.columns == 0) return true;
  return Filling<T>(factored, request, threads).run(threads, control);
}

#define APSP_INSTANTIATE(T) \
  template bool fill_rows(const Factored<T>&, const rows::RowRequest<T>&, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
