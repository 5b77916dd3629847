// Whether a path is shorter than a part of another one: A* (Hart, Nilsson and Raphael 1968) with lower bounds
// by the distances from the source and to the target of the pair, as by landmarks.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/control.hpp"
#include "runtime/least_first.hpp"
#include "runtime/marks.hpp"

namespace apsp::alternatives {

class ShorterPath {
 public:
  ShorterPath(const graph::Csr& graph, const double* weights, const Control& control)
      : graph_(graph), weights_(weights), control_(control), length_(graph.n), reached_(graph.n) {}

  // Distances from the source and to the target of a pair, which may be too large or small by the margin.
  void of_pair(const double* from_source, const double* to_target, double margin) {
    from_source_ = from_source, to_target_ = to_target, margin_ = margin;
  }

  // Whether a path from one vertex to another is shorter than the limit.
  bool exists(std::int32_t from, std::int32_t to, double limit) {
    reached_.clear();
    heap_.clear();
    reach(from, to, 0, limit);
    while (!heap_.empty()) {
      const Open top = heap_.pop();
      if ((++taken_ & 0xfff) == 0) control_.check();
      const std::int32_t v = top.vertex;
      if (v == to) return true;
      if (length_[v] < top.length || (v != from && graph_.is_zone(v))) continue;
      for (std::int64_t a = graph_.indptr[v]; a < graph_.indptr[v + 1]; ++a)
        reach(graph_.indices[a], to, top.length + (weights_ == nullptr ? 1 : weights_[a]), limit);
    }
    return false;
  }

 private:
  struct Open {
    double bound, length;
    std::int32_t vertex;
    bool operator<(const Open& other) const noexcept { return bound < other.bound; }
  };

  double bound(std::int32_t v, std::int32_t to) const noexcept {
    const double behind = from_source_[to] - from_source_[v], ahead = to_target_[v] - to_target_[to];
    return std::max(0.0, std::max(behind, ahead) - margin_);
  }

  void reach(std::int32_t v, std::int32_t to, double length, double limit) {
    if (reached_.has(v) && !(length < length_[v])) return;
    const double whole = length + bound(v, to);
    if (!(whole < limit)) return;
    reached_.add(v), length_[v] = length;
    heap_.push({whole, length, v});
  }

  const graph::Csr& graph_;
  const double* weights_;
  const Control& control_;
  const double* from_source_ = nullptr;
  const double* to_target_ = nullptr;
  double margin_ = 0;
  std::vector<double> length_;
  Marks reached_;
  LeastFirst<Open> heap_;
  std::uint64_t taken_ = 0;
};

}  // namespace apsp::alternatives
