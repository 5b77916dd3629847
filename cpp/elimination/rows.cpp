#include "elimination/rows.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "elimination/batch.hpp"
#include "elimination/needed.hpp"
#include "elimination/tree_part.hpp"
#include "paths/last_arcs.hpp"
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
  Filling(const Factored<T>& factored, const Places& places, const rows::RowRequest<T>& request, int threads)
      : factored_(factored),
        request_(request),
        place_(places.place),
        node_(places.node),
        lanes_(lanes_for<T>(request.count, threads)),
        sequence_(request.count),
        wanted_(wanted(request, place_)),
        needed_(factored.tree, wanted_) {
    std::iota(sequence_.begin(), sequence_.end(), std::int64_t{0});
    std::sort(sequence_.begin(), sequence_.end(), [&](std::int64_t a, std::int64_t b) {
      return place_[request.sources[a]] < place_[request.sources[b]];
    });
  }

  bool run(int threads, Control& control) {
    Team team(threads);
    if (request_.pred != nullptr) {
      lists_ = paths::all_arcs<T>(factored_.arcs, factored_.zones, team, control);
      paths::find_zero_components(lists_, factored_.zones, control);
    }
    std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(team.size()));
    team.parallel_for((request_.count + lanes_ - 1) / lanes_, [&](std::int64_t index, int member) {
      auto& worker = workers[static_cast<std::size_t>(member)];
      if (!worker) worker = std::make_unique<Worker>(*this);
      fill(*worker, index * lanes_, std::min(lanes_, request_.count - index * lanes_), control);
      control.advance(std::min(lanes_, request_.count - index * lanes_));
    });
    return in_range_.load();
  }

 private:
  struct Worker {
    explicit Worker(const Filling& filling)
        : batch(filling.factored_, filling.place_, filling.node_, filling.lanes_),
          last_arcs(filling.factored_.arcs, filling.factored_.zones, filling.lists_) {
      if (filling.request_.pred != nullptr && filling.request_.targets != nullptr)
        whole.resize(static_cast<std::size_t>(filling.factored_.tree.n * filling.lanes_));
    }
    Batch<T> batch;
    paths::LastArcs<T> last_arcs;
    std::vector<T> whole;  // (lanes, n) rows of which only some columns are wanted, though all predecessors
  };

  // The places of the columns that are computed: with predecessors, all.
  static std::vector<Vertex> wanted(const rows::RowRequest<T>& request, const std::vector<Vertex>& place) {
    if (request.targets == nullptr || request.pred != nullptr) return place;
    std::vector<Vertex> found;
    for (std::int64_t j = 0; j < request.columns; ++j) found.push_back(place[request.targets[j]]);
    return found;
  }

  void fill(Worker& worker, std::int64_t from, std::int64_t count, Control& control) {
    Batch<T>& batch = worker.batch;
    std::vector<Vertex> sources;
    std::vector<T*> out;
    for (std::int64_t i = from; i < from + count; ++i) {
      sources.push_back(request_.sources[sequence_[i]]);
      out.push_back(worker.whole.empty() ? request_.dist + sequence_[i] * request_.dist_stride
                                         : worker.whole.data() + (i - from) * factored_.tree.n);
    }
    control.check();
    batch.up(sources.data(), count);
    needed_.down(batch, control);
    batch.clear();
    const T least =
        kernels<T>(factored_.nonnegative)
            .read_off(batch.lines(), lanes_, count, wanted_.data(), static_cast<std::int64_t>(wanted_.size()),
                      ceiling(), semiring::kNoPath<T>, out.data());
    if (std::is_signed_v<T> && std::is_integral_v<T> && least <= -semiring::Bounds<T>::kLimit)
      in_range_.store(false, std::memory_order_relaxed);
    if (request_.pred != nullptr) find_paths(worker, from, sources, out, control);
  }

  void find_paths(Worker& worker, std::int64_t from, const std::vector<Vertex>& sources,
                  const std::vector<T*>& rows, const Control& control) {
    std::vector<std::int32_t*> pred;
    for (std::size_t i = 0; i < rows.size(); ++i)
      pred.push_back(request_.pred + sequence_[from + static_cast<std::int64_t>(i)] * request_.pred_stride);
    for (std::size_t i = 0; i < rows.size(); i += paths::kSearchLanes) {
      const std::int64_t lanes = std::min<std::int64_t>(paths::kSearchLanes, rows.size() - i);
      worker.last_arcs.find(sources.data() + i, lanes, rows.data() + i, pred.data() + i, control);
    }
    if (worker.whole.empty()) return;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      T* out = request_.dist + sequence_[from + static_cast<std::int64_t>(i)] * request_.dist_stride;
      for (std::int64_t j = 0; j < request_.columns; ++j) out[j] = rows[i][request_.targets[j]];
    }
  }

  // Values from this one on are reported as "no path".
  T ceiling() const {
    const T none = factored_.nonnegative ? semiring::Bounds<T>::kNoPath : semiring::Bounds<T>::kLimit;
    return std::min(none, semiring::just_beyond(request_.cutoff));
  }

  const Factored<T>& factored_;
  const rows::RowRequest<T>& request_;
  const std::vector<Vertex>&place_, &node_;
  std::int64_t lanes_;
  std::vector<std::int64_t> sequence_;  // of the sources: those that are close in the tree form a batch
  std::vector<Vertex> wanted_;          // places of the columns that are computed
  Needed needed_;
  paths::TightArcs<paths::Lane<T>> lists_;
  std::atomic<bool> in_range_{true};
};

}  // namespace

template <class T>
bool fill_rows(const Factored<T>& factored, const rows::RowRequest<T>& request, int threads,
               Control& control) {
  rows::check_request(request, factored.tree.n);
  if (request.count == 0 || (request.columns == 0 && request.pred == nullptr)) return true;
  std::optional<Places> own;
  const Places& places = factored.places != nullptr ? *factored.places : own.emplace(factored.tree);
  if (request.targets != nullptr && request.pred == nullptr && factored.zones == nullptr) {
    const std::span sources(request.sources, static_cast<std::size_t>(request.count)),
        targets(request.targets, static_cast<std::size_t>(request.columns));
    if (const auto part = TreePart::of(factored.tree, places, {sources, targets})) {
      const std::vector<Vertex> from = part->numbers(sources), to = part->numbers(targets);
      rows::RowRequest<T> between = request;
      between.sources = from.data();
      between.targets = to.data();
      const Factored<T> ancestors = part->part_of(factored);
      return Filling<T>(ancestors, Places(ancestors.tree), between, threads).run(threads, control);
    }
  }
  return Filling<T>(factored, places, request, threads).run(threads, control);
}

#define APSP_INSTANTIATE(T) \
  template bool fill_rows(const Factored<T>&, const rows::RowRequest<T>&, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
