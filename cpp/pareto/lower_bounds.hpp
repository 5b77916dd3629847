// Lower bounds of both costs to a target: two searches from it, which end where no path of the pair leads.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "graph/reverse.hpp"
#include "pareto/open.hpp"
#include "runtime/control.hpp"
#include "runtime/least_first.hpp"
#include "runtime/marks.hpp"
#include "semiring/path_sums.hpp"

namespace apsp::pareto {

// The arcs into each vertex.
struct Backward {
  std::vector<std::int64_t> indptr, arcs;
  std::vector<std::int32_t> tails;

  Backward(const graph::Csr& graph, const Control& control)
      : indptr(graph.n + 1), arcs(graph.m), tails(graph.m) {
    graph::reverse<std::int64_t>(graph, nullptr, indptr.data(), tails.data(), arcs.data(), control);
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
    while (!heap_.empty() && !(heap_.first().first > limit)) settle();
  }

  // At most the cost of each path from a vertex whose cost is within the last limit.
  bool has(std::int32_t v) const noexcept { return reached_.has(v); }
  T cost(std::int32_t v) const noexcept { return cost_[v]; }
  U other(std::int32_t v) const noexcept { return other_[v]; }

 private:
  std::int32_t settle() {
    const Open<T, U> top = heap_.pop();
    if ((++taken_ & 0xfff) == 0) control_.check();
    const auto v = static_cast<std::int32_t>(top.number);
    if (cost_[v] != top.first || other_[v] != top.second) return -1;
    if (v != target_ && graph_.is_zone(v)) return v;
    for (std::int64_t i = backward_.indptr[v]; i < backward_.indptr[v + 1]; ++i)
      reach(backward_.tails[i], top.first + costs_[backward_.arcs[i]],
            top.second + others_[backward_.arcs[i]]);
    return v;
  }

  void reach(std::int32_t v, T cost, U other) {
    if (!semiring::PathSums<T>::is_finite(cost)) return;
    if (has(v) && (cost_[v] < cost || (cost_[v] == cost && !(other < other_[v])))) return;
    reached_.add(v), cost_[v] = cost, other_[v] = other;
    heap_.push({cost, other, static_cast<std::uint32_t>(v)});
  }

  const graph::Csr& graph_;
  const Backward& backward_;
  const T* costs_;
  const U* others_;
  const Control& control_;
  std::vector<T> cost_;
  std::vector<U> other_;
  Marks reached_;
  LeastFirst<Open<T, U>> heap_;
  std::int32_t target_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace apsp::pareto
