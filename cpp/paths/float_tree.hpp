// Paths that have the float distances of one row, with the exact sums along them and how far rounding may
// have moved a distance from such a sum.
//
// Adding the k lengths of a path in floats of machine epsilon eps, in any order, gives their exact sum within
// k * eps / 2 times the sum of their absolute values (Higham 2002, "Accuracy and Stability of Numerical
// Algorithms", section 4.2), and half as much again where weights were rounded to a narrower type. So an arc
// is tight, and a distance right, within k * eps * (sum of absolute lengths): relative to the path itself,
// whatever other arcs there are.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "sparse/csr.hpp"
#include "sparse/length.hpp"

namespace apsp::paths {

// What is allowed: per_arc * k + share times the sum of the absolute lengths of the k arcs of a path.
struct Rounding {
  double per_arc = 0;
  double share = 0;
};

template <class T>
class FloatTree {
 public:
  FloatTree(const sparse::Csr& graph, const double* weights, const Rounding& rounding)
      : graph_(graph),
        weights_(weights),
        rounding_(rounding),
        negative_(std::any_of(weights, weights + graph.m, [](double weight) { return weight < 0; })),
        labels_(static_cast<std::size_t>(graph.n)) {}

  bool negative() const noexcept { return negative_; }

  // Follows tight arcs from the source; among several paths the one with the smallest sum of absolute
  // lengths, so that as little as possible is allowed. parents (n,): -1 at the source and where nothing leads
  // to. Returns how many vertices were reached, the source included.
  std::int64_t grow(std::int32_t source, const T* dist, std::int32_t* parents) {
    start(source, dist);
    std::fill(parents, parents + graph_.n, -1);
    queue_.assign(1, {0, source});
    std::int64_t reached = 0;
    for (std::size_t next = 0; negative_ ? !queue_.empty() : next < queue_.size(); ++next) {
      const std::int32_t u = negative_ ? take() : queue_[next].vertex;
      Label& tail = labels_[u];
      if (tail.final) continue;
      tail.final = true;
      ++reached;
      if (u != source) sum_up(parents[u], u);
      if (graph_.is_terminal(u) && u != source) continue;
      for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
        const std::int32_t v = graph_.indices[a];
        Label& head = labels_[v];
        if (head.final || dist[v] == sparse::kNoPath<T>) continue;
        const double size = tail.size + std::abs(weights_[a]);
        if (!(size < head.size) || !tight(tail, weights_[a], dist[v])) continue;
        if (!negative_ && head.arcs > 0) continue;  // sizes are the distances: the first path is as good
        head.size = size;
        head.arcs = tail.arcs + 1;
        head.arc = a;
        parents[v] = u;
        put({size, v});
      }
    }
    return reached;
  }

  // Follows predecessors that are known to lead to the source, (n,), -1 where they end. A vertex whose
  // predecessor is no tail of a tight arc that a path may take, or -1.
  std::int64_t follow(std::int32_t source, const T* dist, const std::int32_t* before) {
    start(source, dist);
    labels_[source].final = true;
    for (std::int32_t last = 0; last < graph_.n; ++last) {
      chain_.clear();
      for (std::int32_t v = last; before[v] >= 0 && !labels_[v].final; v = before[v]) chain_.push_back(v);
      for (; !chain_.empty(); chain_.pop_back()) {
        const std::int32_t v = chain_.back(), u = before[v];
        Label& head = labels_[v];
        const Label& tail = labels_[u];
        if (!tail.final || (graph_.is_terminal(u) && u != source)) return v;
        head.arc = find(u, v);
        if (head.arc < 0) return v;
        const double weight = weights_[head.arc];
        if (!tight(tail, weight, dist[v])) return v;
        head.size = tail.size + std::abs(weight);
        head.arcs = tail.arcs + 1;
        head.final = true;
        sum_up(u, v);
      }
    }
    return -1;
  }

  // After grow or follow, for vertices on the tree: the distance is not that of its path.
  bool wrong(std::int64_t v, T distance) const noexcept {
    const Label& label = labels_[v];
    return std::abs((static_cast<double>(distance) - label.sum) - label.rest) >
           allowed(label.arcs, label.size);
  }

  // The arc from u, which is on the tree, proves that a distance of `bound` is too long.
  bool improves(std::int64_t u, double weight, double bound) const noexcept {
    const Label& tail = labels_[u];
    return ((tail.sum + weight) - bound) + tail.rest < -allowed(tail.arcs + 1, tail.size + std::abs(weight));
  }

 private:
  struct Label {
    double size = std::numeric_limits<double>::infinity();  // sum of absolute lengths along the path
    double sum = 0, rest = 0;                               // of the lengths: sum + rest, nearly exactly
    double distance = 0;                                    // as claimed
    std::int64_t arc = -1;                                  // the last one
    std::int32_t arcs = 0;
    bool final = false;
  };
  struct Waiting {
    double size;
    std::int32_t vertex;
    bool operator<(const Waiting& other) const noexcept { return other.size < size; }
  };

  // Sizes are multiplied last, so that they may be as large as floats are.
  double allowed(std::int32_t arcs, double size) const noexcept {
    return (rounding_.per_arc * arcs + rounding_.share) * size;
  }

  // Claimed distances on both ends of the arc are compared: equal sums after rounding, or as near as
  // rounding of the two may have left them.
  bool tight(const Label& tail, double weight, T head) const noexcept {
    const double sum = tail.distance + weight;
    return static_cast<T>(sum) == head ||
           std::abs(sum - static_cast<double>(head)) <=
               allowed(tail.arcs, tail.size) + allowed(tail.arcs + 1, tail.size + std::abs(weight));
  }

  void start(std::int32_t source, const T* dist) {
    for (std::int64_t v = 0; v < graph_.n; ++v) {
      labels_[v] = {};
      labels_[v].distance = static_cast<double>(dist[v]);
    }
    labels_[source].size = 0;
  }

  // sum + rest of a path and one arc more (two-sum: the rounding of every addition is kept).
  void sum_up(std::int32_t u, std::int32_t v) noexcept {
    const Label& tail = labels_[u];
    Label& head = labels_[v];
    const double weight = weights_[head.arc];
    head.sum = tail.sum + weight;
    const double part = head.sum - tail.sum;
    head.rest = tail.rest + ((tail.sum - (head.sum - part)) + (weight - part));
  }

  void put(const Waiting& waiting) {
    queue_.push_back(waiting);
    if (negative_) std::push_heap(queue_.begin(), queue_.end());
  }
  std::int32_t take() {
    std::pop_heap(queue_.begin(), queue_.end());
    const std::int32_t vertex = queue_.back().vertex;
    queue_.pop_back();
    return vertex;
  }

  std::int64_t find(std::int32_t u, std::int32_t v) const noexcept {
    const std::int32_t* first = graph_.indices + graph_.indptr[u];
    const std::int32_t* last = graph_.indices + graph_.indptr[u + 1];
    const std::int32_t* found = std::lower_bound(first, last, v);
    return found != last && *found == v ? found - graph_.indices : -1;
  }

  const sparse::Csr& graph_;
  const double* weights_;
  Rounding rounding_;
  bool negative_;
  std::vector<Label> labels_;
  std::vector<Waiting> queue_;
  std::vector<std::int32_t> chain_;
};

}  // namespace apsp::paths
