// Paths that have the float distances of one row, with the exact sums along them and bounds on the rounding
// error of a distance relative to such a sum.
//
// Adding the k lengths of a path in floats of machine epsilon eps, in any order, gives their exact sum within
// k * eps / 2 times the sum of their absolute values (Higham 2002, "Accuracy and Stability of Numerical
// Algorithms", section 4.2), and 1.5 times that if weights were rounded to a narrower type. So a distance is
// correct within k * eps * (sum of absolute lengths): relative to the path, independently of other arcs.
// Below the normal numbers additions are exact (Hauser 1996, "Handling floating-point exceptions in numeric
// programs", theorem 3.4.1), and only weights are rounded, by a step of T at most.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "graph/csr.hpp"
#include "semiring/length.hpp"

namespace apsp::paths {

// The allowed error: per_arc * k times the sum of the absolute lengths of the k arcs of a path; and for each
// arc share times its absolute length, but not more than `most`, if cycles below zero count as zero.
struct Rounding {
  double per_arc = 0;
  double share = 0;
  double most = 0;
};

template <class T>
class FloatTree {
 public:
  FloatTree(const graph::Csr& graph, const double* weights, const Rounding& rounding)
      : graph_(graph),
        weights_(weights),
        rounding_(rounding),
        negative_(std::any_of(weights, weights + graph.m, [](double weight) { return weight < 0; })),
        step_(std::any_of(weights, weights + graph.m, loses_digits) ? std::numeric_limits<T>::denorm_min()
                                                                    : 0),
        labels_(static_cast<std::size_t>(graph.n)) {}

  // A path for every distance that is the length of one within the allowed rounding error: from the source
  // along arcs, the path with the smallest sum of absolute lengths first, so that the allowed error is as
  // small as possible. parents (n,): -1 at the source and where no path was found.
  void grow(std::int32_t source, const T* dist, std::int32_t* parents) {
    start(source, parents);
    queue_.assign(1, {0, source});
    for (std::size_t next = 0; negative_ ? !queue_.empty() : next < queue_.size(); ++next) {
      const std::int32_t u = negative_ ? take() : queue_[next].vertex;
      if (labels_[u].final) continue;
      labels_[u].final = true;
      for_arcs(u, [&](std::int64_t a, std::int32_t v) {
        if (labels_[v].final || dist[v] == semiring::kNoPath<T>) return;
        const Label found = extended(labels_[u], weights_[a]);
        if (!(found.size < labels_[v].size) || !fits(found, dist[v])) return;
        if (!negative_ && parents[v] >= 0) return;  // sizes are the distances: the first path is as good
        labels_[v] = found;
        parents[v] = u;
        put({found.size, v});
      });
    }
  }

  // Grows one tree after another until enough() is true for one. First that of the paths of the smallest
  // absolute lengths. It may contain an arc that is suitable for one vertex and not for the next: then that
  // of shortest paths. A distance may also be that of a longer path with larger lengths that cancel, which
  // allow more rounding: then those of paths with the smallest (sum of lengths) - c * eps * (sum of absolute
  // lengths), for c = 1, 2, 4, ..., n. One of these finds a path of c arcs whose distance is too small by
  // rounding.
  template <class Enough>
  void grow_until(std::int32_t source, const T* dist, std::int32_t* parents, const Enough& enough) {
    grow(source, dist, parents);
    if (enough()) return;
    if (rounding_.share > 0) return;  // there are cycles below zero
    if (!settle(dist, parents, 0) || enough()) return;
    const bool cancels = negative_ && rounding_.per_arc > 0;
    for (std::int64_t c = 1; cancels && c < 2 * graph_.n; c *= 2)
      if (!settle(dist, parents, static_cast<double>(c) * rounding_.per_arc) || enough()) return;
  }

  // Follows predecessors that are known to lead to the source, (n,), -1 where they end. A vertex whose
  // predecessor is not the tail of an arc that a path may take, or whose distance is not that of its path; -1
  // if there is none.
  std::int64_t follow(std::int32_t source, const T* dist, const std::int32_t* before) {
    start(source, nullptr);
    labels_[source].final = true;
    for (std::int32_t last = 0; last < graph_.n; ++last) {
      chain_.clear();
      for (std::int32_t v = last; before[v] >= 0 && !labels_[v].final; v = before[v]) chain_.push_back(v);
      for (; !chain_.empty(); chain_.pop_back()) {
        const std::int32_t v = chain_.back(), u = before[v];
        const std::int64_t arc = find(u, v);
        if (!labels_[u].final || arc < 0 || (graph_.is_zone(u) && u != source)) return v;
        labels_[v] = extended(labels_[u], weights_[arc]);
        if (!fits(labels_[v], dist[v])) return v;
        labels_[v].final = true;
      }
    }
    return -1;
  }

  // After one of these: the distance is that of the path found.
  bool is_attained(std::int64_t v, T distance) const noexcept {
    return labels_[v].final && fits(labels_[v], distance);
  }

  // After one of these, which has a path for every distance: a vertex to which some path is so much shorter
  // than its distance, or than the limit where it has none, that rounding cannot be the reason; -1 if there
  // is none. Arcs are appended to paths of the tree, and if that shortens a path, to shortest paths.
  std::int64_t too_long(const T* dist, std::optional<T> limit, std::int32_t* parents) {
    const std::int64_t found = beyond(dist, limit);
    if (found >= 0 || queue_.empty()) return found;
    settle_queued(dist, parents, 0);
    return beyond(dist, limit);
  }

 private:
  struct Label {
    double size = std::numeric_limits<double>::infinity();  // sum of absolute lengths along the path
    double sum = 0, rest = 0;                               // of the lengths: sum + rest, nearly exactly
    double given = 0;                                       // the allowed error of its single arcs
    std::int32_t arcs = 0;
    bool final = false, waits = false;
  };
  struct Waiting {
    double size;
    std::int32_t vertex;
    bool operator<(const Waiting& other) const noexcept { return other.size < size; }
  };

  // Paths with the smallest (sum of lengths) - favor * (sum of absolute lengths), by exact sums, from the
  // existing paths (Bellman-Ford), to the vertices that have a distance. The allowed error of an arc is added
  // to its length, so that no cycle is below zero. Returns false, without paths, if there is one
  // nevertheless.
  bool settle(const T* dist, std::int32_t* parents, double favor) {
    queue_.clear();
    for (std::int32_t v = 0; v < graph_.n; ++v)
      if (labels_[v].final) queue_.push_back({0, v});
    return settle_queued(dist, parents, favor);
  }

  // As settle, if only arcs of the queued vertices shorten a path.
  bool settle_queued(const T* dist, std::int32_t* parents, double favor) {
    for (const Waiting& one : queue_) labels_[one.vertex].waits = true;
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const std::int32_t u = queue_[next].vertex;
      labels_[u].waits = false;
      if (labels_[u].arcs > graph_.n) return false;
      for_arcs(u, [&](std::int64_t a, std::int32_t v) {
        if (dist[v] == semiring::kNoPath<T> || v == source_) return;
        Label found = extended(labels_[u], weights_[a]);
        if (labels_[v].final && !shorter(found, labels_[v], favor)) return;
        found.final = found.waits = true;
        if (!labels_[v].waits) queue_.push_back({0, v});
        labels_[v] = found;
        parents[v] = u;
      });
    }
    return true;
  }

  // A vertex as in too_long, by one arc appended to the existing paths; and in the queue, the tails of arcs
  // that shorten a path.
  std::int64_t beyond(const T* dist, std::optional<T> limit) {
    queue_.clear();
    std::int64_t wrong = -1;
    for (std::int32_t u = 0; u < graph_.n && wrong < 0; ++u) {
      if (!labels_[u].final) continue;
      bool shortens = false;
      for_arcs(u, [&](std::int64_t a, std::int32_t v) {
        const bool has_path = dist[v] != semiring::kNoPath<T>;
        const double sum = labels_[u].sum + weights_[a];
        if (has_path && sum > dist[v] && sum > labels_[v].sum + labels_[v].given &&
            (!negative_ || is_longer(sum, labels_[u], dist[v], labels_[v])))
          return;  // most arcs
        const Label found = extended(labels_[u], weights_[a]);
        if (has_path ? excludes(found, dist[v]) : belongs(found, limit)) wrong = v;
        shortens |= has_path && v != source_ && shorter(found, labels_[v], 0);
      });
      if (shortens) queue_.push_back({0, u});
    }
    return wrong;
  }

  // Whether a rounded sum of a path and an arc is longer than a distance and another path whatever was
  // rounded off, which is much where lengths cancel.
  static bool is_longer(double sum, const Label& tail, T distance, const Label& other) noexcept {
    const double least = sum - std::abs(sum) * std::numeric_limits<double>::epsilon() - std::abs(tail.rest);
    return least > distance && least > other.sum + std::abs(other.rest) + other.given;
  }

  // The path proves that a distance is too long.
  bool excludes(const Label& path, T distance) const noexcept {
    return (path.sum - static_cast<double>(distance)) + path.rest < -allowed(path);
  }

  // The path proves that its head has a distance: within the limit, or a finite one.
  bool belongs(const Label& path, std::optional<T> limit) const noexcept {
    if (!limit) return static_cast<T>(path.sum) != semiring::kNoPath<T>;
    return (path.sum - static_cast<double>(*limit)) + path.rest <= -allowed(path);
  }

  // Whether a weight below the normal numbers of T is rounded to a step of T. Sums there are exact.
  static bool loses_digits(double weight) noexcept {
    return std::abs(weight) < std::numeric_limits<T>::min() && static_cast<T>(weight) != weight;
  }

  // The possible rounding error.
  double allowed(const Label& label) const noexcept {
    return rounding_.per_arc * label.arcs * label.size + label.given + label.arcs * step_;
  }

  bool fits(const Label& label, T distance) const noexcept {
    return std::abs((static_cast<double>(distance) - label.sum) - label.rest) <= allowed(label);
  }

  // A path and one arc more (two-sum: what the addition rounds off is kept).
  Label extended(const Label& tail, double weight) const noexcept {
    Label head;
    head.given = tail.given + std::min(rounding_.most, rounding_.share * std::abs(weight));
    head.size = tail.size + std::abs(weight);
    head.arcs = tail.arcs + 1;
    head.sum = tail.sum + weight;
    const double part = head.sum - tail.sum;
    head.rest = tail.rest + ((tail.sum - (head.sum - part)) + (weight - part));
    return head;
  }

  // By more than the last digits of the sums, so that a cycle of length zero does not shorten a path.
  static bool shorter(const Label& one, const Label& other, double favor) noexcept {
    const double gap = (one.sum - other.sum) + (one.rest - other.rest) + (one.given - other.given) -
                       favor * (one.size - other.size);
    return gap < -0x1p-90 * std::max(one.size, other.size);
  }

  void start(std::int32_t source, std::int32_t* parents) {
    source_ = source;
    std::fill(labels_.begin(), labels_.end(), Label{});
    labels_[source].size = 0;
    if (parents != nullptr) std::fill(parents, parents + graph_.n, -1);
  }

  template <class Body>
  void for_arcs(std::int32_t u, const Body& body) const {
    if (graph_.is_zone(u) && u != source_) return;
    for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) body(a, graph_.indices[a]);
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

  const graph::Csr& graph_;
  const double* weights_;
  Rounding rounding_;
  bool negative_;
  double step_;  // the error of each weight that is too small for the digits of T
  std::int32_t source_ = 0;
  std::vector<Label> labels_;
  std::vector<Waiting> queue_;
  std::vector<std::int32_t> chain_;
};

}  // namespace apsp::paths
