// Whether float distances are the lengths of the paths of their predecessors, within the promised rounding.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/csr.hpp"
#include "graph/matrix.hpp"
#include "paths/chains.hpp"
#include "paths/float_tree.hpp"

namespace apsp::batch {

// The finite entries of a matrix of lengths off its diagonal, and loops below zero.
template <class T>
struct ArcList {
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices;
  std::vector<double> weights;

  explicit ArcList(graph::Matrix<const T> lengths) {
    for (std::int64_t i = 0; i < lengths.rows; ++i) {
      for (std::int64_t j = 0; j < lengths.rows; ++j) {
        const T weight = lengths.row(i)[j];
        if (!(weight < std::numeric_limits<T>::infinity()) || (i == j && !(weight < T{0}))) continue;
        indices.push_back(static_cast<std::int32_t>(j));
        weights.push_back(static_cast<double>(weight));
      }
      indptr.push_back(static_cast<std::int64_t>(indices.size()));
    }
  }
  graph::Csr graph() const {
    return {static_cast<std::int64_t>(indptr.size()) - 1, indptr.data(), indices.data(),
            static_cast<std::int64_t>(indices.size()), nullptr};
  }
};

// head - (tail + weight), nearly exactly.
inline double gap(float tail, float weight, float head) {
  return static_cast<double>(head) - (static_cast<double>(tail) + static_cast<double>(weight));
}
inline double gap(double tail, double weight, double head) {
  const double sum = tail + weight, part = sum - tail;
  return (head - sum) - ((tail - (sum - part)) + (weight - part));
}

// Whether every distance is that to its predecessor and one arc, up to epsilon times itself. Then the
// distance along k arcs is within k epsilon times the sum of their absolute lengths.
template <class T>
bool links_fit(graph::Matrix<const T> lengths, graph::Matrix<const T> dist,
               graph::Matrix<const std::int32_t> pred) {
  constexpr double kAllowed = 0.99 * static_cast<double>(std::numeric_limits<T>::epsilon());
  bool fit = true;
  for (std::int64_t i = 0; i < dist.rows; ++i) {
    const T* row = dist.row(i);
    for (std::int64_t j = 0; j < dist.rows; ++j) {
      const std::int32_t before = pred.row(i)[j];
      if (before < 0) continue;
      fit &= std::abs(gap(row[before], lengths.row(before)[j], row[j])) <=
             kAllowed * std::abs(static_cast<double>(row[j]));
    }
  }
  return fit;
}

// Whether every distance is the length of its path, within k epsilon times the sum of the absolute lengths of
// its k arcs. has_negative: some arc is below zero, so that predecessors may form a cycle.
template <class T>
bool paths_fit(graph::Matrix<const T> lengths, graph::Matrix<const T> dist,
               graph::Matrix<const std::int32_t> pred, bool has_negative) {
  if (has_negative) {
    std::vector<std::int32_t> first(static_cast<std::size_t>(pred.rows));
    for (std::int64_t i = 0; i < pred.rows; ++i)
      if (paths::first_steps(pred.row(i), pred.rows, first.data()) >= 0) return false;
  }
  if (links_fit(lengths, dist, pred)) return true;
  const ArcList<T> arcs(lengths);
  const graph::Csr graph = arcs.graph();
  paths::FloatTree<T> tree(graph, arcs.weights.data(), {std::numeric_limits<T>::epsilon(), 0, 0});
  for (std::int64_t i = 0; i < dist.rows; ++i)
    if (tree.follow(static_cast<std::int32_t>(i), dist.row(i), pred.row(i)) >= 0) return false;
  return true;
}

}  // namespace apsp::batch
