#include "searches/near_pairs.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include "graph/nearness.hpp"
#include "rows/arcs.hpp"
#include "runtime/dtypes.hpp"
#include "searches/ball.hpp"
#include "searches/buckets.hpp"
#include "searches/path_costs.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kSourcesOfTask = 256;
constexpr std::int64_t kTasksPerThread = 16;

// The searches of one thread.
template <class T, class Queue, bool kHops>
class Searcher final : public NearWorker<T> {
 public:
  Searcher(const rows::Arcs<T>& arcs, const ArcCosts<T>& costs, const NearRequest<T>& request,
           const std::vector<std::uint8_t>& is_target)
      : arcs_(arcs), costs_(costs), request_(request), is_target_(is_target), ball_(arcs, request.cutoff) {
    if (request.sums) along_.emplace(arcs, costs);
  }

  void search(NearStock<T>& stock, const std::int64_t* numbers, std::int64_t count,
              Control& control) override {
    for (std::int64_t i = 0; i < count; ++i) {
      control.check();
      search_one(stock, numbers[i], control);
      control.advance(1);
    }
  }

 private:
  void search_one(NearStock<T>& stock, std::int64_t number, Control& control) {
    const std::int32_t source = arcs_.inner(request_.sources[number]);
    const std::int64_t k = request_.k;
    row_.clear(), reached_.clear(), sums_.clear();
    ball_.run(source, control, [&](std::int32_t v, T length) {
      if (static_cast<std::int64_t>(row_.size()) >= k &&
          row_[static_cast<std::size_t>(k - 1)].distance < length)
        return false;
      if (along_) reached_.push_back(v);
      if ((is_target_.empty() || is_target_[v]) && (request_.own || v != source))
        row_.push_back({length, v, v});
      return true;
    });
    if (along_) along_->run(reached_, ball_.lengths(), control);
    for (NearPair<T>& pair : row_) {
      if constexpr (kHops) {
        const std::int32_t hop = along_ ? along_->hop(pair.target) : ball_.hop(pair.target);
        pair.hop = pair.target == source ? -1 : arcs_.original(hop);
      }
      pair.target = arcs_.original(pair.target);
    }
    put_in_order(row_, k, request_.by_target);
    if (along_)
      for (const NearPair<T>& pair : row_) {
        const double* const sums = along_->sums(arcs_.inner(pair.target));
        sums_.insert(sums_.end(), sums, sums + costs_.size());
      }
    stock.add(number, row_, sums_.data());
  }

  const rows::Arcs<T>& arcs_;
  const ArcCosts<T>& costs_;
  const NearRequest<T>& request_;
  const std::vector<std::uint8_t>& is_target_;  // by inner numbers
  BallSearch<T, Queue, kHops> ball_;
  std::optional<PathCosts<T>> along_;
  std::vector<std::int32_t> reached_;  // by the current source, if there are other costs
  std::vector<NearPair<T>> row_;
  std::vector<double> sums_;
};

std::vector<std::int32_t> order_of(const graph::Csr& graph, bool many) {
  graph::check_csr(graph);
  return many ? graph::nearness_order(graph) : std::vector<std::int32_t>();
}

template <class T>
class NearSearches final : public NearFinder<T> {
 public:
  NearSearches(const graph::Csr& graph, const T* weights, const std::vector<std::int32_t>& order,
               const double* costs, int size)
      : arcs_(graph, weights, order.empty() ? nullptr : order.data()) {
    if (size > 0) costs_ = ArcCosts<T>(graph, weights, arcs_, costs, size);
  }

  NearPairs<T> find(const NearRequest<T>& request, int threads, Control& control) const override {
    check_near(request, n(), costs());
    if constexpr (std::is_integral_v<T>)
      if (unit_buckets(std::min(arcs_.largest_weight(), request.cutoff)))
        return found_by<BucketQueue<T, true>>(request, threads, control);
    return found_by<BucketQueue<T, false>>(request, threads, control);
  }

  std::int64_t n() const noexcept override { return arcs_.n(); }
  int costs() const noexcept override { return costs_.size(); }

 private:
  template <class Queue>
  NearPairs<T> found_by(const NearRequest<T>& request, int threads, Control& control) const {
    if (request.hops) return found_with<Searcher<T, Queue, true>>(request, threads, control);
    return found_with<Searcher<T, Queue, false>>(request, threads, control);
  }

  template <class Worker>
  NearPairs<T> found_with(const NearRequest<T>& request, int threads, Control& control) const {
    std::vector<std::uint8_t> is_target;
    if (request.is_target != nullptr)
      for (std::int32_t v = 0; v < n(); ++v) is_target.push_back(request.is_target[arcs_.original(v)]);
    // Searches from neighbours one after another find their arcs and labels in the cache.
    const std::int64_t share = request.count / (kTasksPerThread * std::max(threads, 1));
    return collect_near<T>(request, costs(), arcs_.inner_numbers(),
                           std::clamp<std::int64_t>(share, 1, kSourcesOfTask), threads, this->spare_, control,
                           [&] { return std::make_unique<Worker>(arcs_, costs_, request, is_target); });
  }

  rows::Arcs<T> arcs_;
  ArcCosts<T> costs_;
};

}  // namespace

template <class T>
std::unique_ptr<NearFinder<T>> near_searches(const graph::Csr& graph, const T* weights, bool many,
                                             const double* costs, int size) {
  return std::make_unique<NearSearches<T>>(graph, weights, order_of(graph, many), costs, size);
}

#define APSP_INSTANTIATE(T)                                                                                  \
  template std::unique_ptr<NearFinder<T>> near_searches<T>(const graph::Csr&, const T*, bool, const double*, \
                                                           int);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
