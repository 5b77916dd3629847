// What is known of the costs of paths to each vertex that no other path to it beats.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/marks.hpp"

namespace apsp::pareto {

// Labels of a vertex come ascending by their first cost if its sums are exact, so that the least second cost
// decides. Rounded lower bounds may disturb this order; then all pairs of costs are kept.
template <class A, class B>
class Fronts {
 public:
  explicit Fronts(std::int64_t n) : least_(n), known_(n) {}

  void clear() { known_.clear(); }
  bool beats(std::int32_t v, A, B second) const noexcept { return known_.has(v) && !(second < least_[v]); }
  void add(std::int32_t v, A, B second) noexcept { known_.add(v), least_[v] = second; }

 private:
  std::vector<B> least_;
  Marks known_;
};

template <class B>
class Fronts<double, B> {
 public:
  explicit Fronts(std::int64_t n) : costs_(n) {}

  void clear() {
    for (const std::int32_t v : touched_) costs_[v] = {};
    touched_.clear();
  }
  bool beats(std::int32_t v, double first, B second) const noexcept {
    const auto& costs = costs_[v];
    if (costs.empty()) return false;
    if (!(first < costs.back().first)) return !(second < costs.back().second);
    const auto after = beyond(v, first);
    return after != costs.begin() && !(second < std::prev(after)->second);
  }
  // A pair of costs that none beats, and that is not there.
  void add(std::int32_t v, double first, B second) {
    auto& costs = costs_[v];
    if (costs.empty()) touched_.push_back(v);
    const auto after = beyond(v, first);
    // Of one first cost: the larger second cost is beaten.
    auto from = after != costs.begin() && std::prev(after)->first == first ? std::prev(after) : after;
    const auto place = from - costs.begin();
    auto to = costs.cbegin() + place;
    while (to != costs.cend() && !(to->second < second)) ++to;
    costs.erase(costs.cbegin() + place, to);
    costs.insert(costs.begin() + place, {first, second});
  }

 private:
  using Costs = std::vector<std::pair<double, B>>;

  // The first pair with a larger first cost.
  typename Costs::const_iterator beyond(std::int32_t v, double first) const noexcept {
    return std::upper_bound(costs_[v].begin(), costs_[v].end(), first,
                            [](double cost, const auto& pair) { return cost < pair.first; });
  }

  std::vector<Costs> costs_;  // ascending by the first cost, descending by the second
  std::vector<std::int32_t> touched_;
};

}  // namespace apsp::pareto
