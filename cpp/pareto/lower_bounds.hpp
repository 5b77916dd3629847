// Lower bounds of both costs to a target: two searches from it, which end where no path of the pair leads.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "pareto/pareto.hpp"
#include "runtime/marks.hpp"

namespace apsp::pareto {

// Sums of costs of one type, and how far rounding may move them.
template <class T>
struct Sums {
  static constexpr bool kExact = std::is_integral_v<T>;

  T rounding = 0;  // of floats: the relative error of a sum

  explicit Sums(std::int64_t n) {
    if constexpr (!kExact) rounding = 4 * (static_cast<T>(n) + 2) * std::numeric_limits<T>::epsilon();
  }
  T lowered(T sum) const noexcept {
    if constexpr (kExact)
      return sum;
    else
      return sum - sum * rounding - std::numeric_limits<T>::min();
  }
  T raised(T sum) const noexcept {
    if constexpr (kExact)
      return sum;
    else
      return sum + sum * rounding + std::numeric_limits<T>::min();
  }
  static bool is_finite(T sum) noexcept {
    if constexpr (kExact)
      return true;
    else
      return sum < std::numeric_limits<T>::infinity();
  }
};

// The arcs into each vertex.
struct Backward {
  std::vector<std::int64_t> indptr, arcs;
  std::vector<std::int32_t> tails;

  explicit Backward(const graph::Csr& graph) : indptr(graph.n + 1, 0), arcs(graph.m), tails(graph.m) {
    for (std::int64_t a = 0; a < graph.m; ++a) ++indptr[graph.indices[a] + 1];
    for (std::int64_t v = 0; v < graph.n; ++v) indptr[v + 1] += indptr[v];
    std::vector<std::int64_t> next(indptr.begin(), indptr.end() - 1);
    for (std::int64_t v = 0; v < graph.n; ++v)
      for (std::int64_t a = graph.indptr[v]; a < graph.indptr[v + 1]; ++a) {
        const std::int64_t place = next[graph.indices[a]]++;
        arcs[place] = a, tails[place] = static_cast<std::int32_t>(v);
      }
  }
};

// Dijkstra's method from a target along arcs into vertices; of equally cheap paths the one with the least
// other cost.
template <class T, class U>
class LowerBounds {
 public:
  LowerBounds(const graph::Csr& graph, const Backward& backward, const T* costs, const U* others,
              const Control& control)
      : graph_(graph),
        backward_(backward),
        costs_(costs),
        others_(others),
        control_(control),
        cost_(graph.n),
        other_(graph.n),
        reached_(graph.n) {}

  void begin(std::int32_t target) {
    reached_.clear();
    heap_.clear();
    target_ = target;
    reach(target, 0, 0);
  }

  // Until a vertex is settled; false if it has no path.
  bool run_to(std::int32_t vertex) {
    while (!heap_.empty())
      if (settle() == vertex) return true;
    return false;
  }
  // Until all vertices are settled that cost at most this much.
  void run_within(T limit) {
    while (!heap_.empty() && !(heap_.front().cost > limit)) settle();
  }

  // At most the cost of each path from a vertex whose cost is within the last limit.
  bool has(std::int32_t v) const noexcept { return reached_.has(v); }
  T cost(std::int32_t v) const noexcept { return cost_[v]; }
  U other(std::int32_t v) const noexcept { return other_[v]; }

 private:
  struct Open {
    T cost;
    U other;
    std::int32_t vertex;
    // std heaps keep the largest on top
    bool operator<(const Open& than) const noexcept {
      if (cost != than.cost) return than.cost < cost;
      if (other != than.other) return than.other < other;
      return than.vertex < vertex;
    }
  };

  std::int32_t settle() {
    const Open top = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
    if ((++taken_ & 0xfff) == 0) control_.check();
    const std::int32_t v = top.vertex;
    if (cost_[v] != top.cost || other_[v] != top.other) return -1;
    if (v != target_ && graph_.is_zone(v)) return v;
    for (std::int64_t i = backward_.indptr[v]; i < backward_.indptr[v + 1]; ++i)
      reach(backward_.tails[i], top.cost + costs_[backward_.arcs[i]], top.other + others_[backward_.arcs[i]]);
    return v;
  }

  void reach(std::int32_t v, T cost, U other) {
    if (!Sums<T>::is_finite(cost)) return;
    if (has(v) && (cost_[v] < cost || (cost_[v] == cost && !(other < other_[v])))) return;
    reached_.add(v), cost_[v] = cost, other_[v] = other;
    heap_.push_back({cost, other, v});
    std::push_heap(heap_.begin(), heap_.end());
  }

  const graph::Csr& graph_;
  const Backward& backward_;
  const T* costs_;
  const U* others_;
  const Control& control_;
  std::vector<T> cost_;
  std::vector<U> other_;
  Marks reached_;
  std::vector<Open> heap_;
  std::int32_t target_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace apsp::pareto
