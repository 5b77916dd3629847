// One distance from a factor: up the tree from the source and, against the arcs, from the target; a shortest
// path has its highest point in a supernode above both. Strasser and Wagner 2015, "Customizable contraction
// hierarchies", section 6 (elimination tree query), on supernodes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "elimination/batch.hpp"

namespace apsp::elimination {

// Scratch memory for consecutive queries.
template <class T>
class PairSearch {
 public:
  explicit PairSearch(const Factored<T>& factored)
      : factored_(factored),
        kernels_(kernels<T>(factored.nonnegative)),
        place_(places_of(factored.tree)),
        node_(nodes_of(factored.tree)),
        forward_(factored.tree.n),
        backward_(factored.tree.n),
        met_(factored.tree.nodes) {
    std::int64_t longest = 0;
    for (std::int64_t s = 0; s < tree_.nodes; ++s)
      longest = std::max({longest, tree_.columns(s), tree_.row_count(s)});
    sums_.resize(longest);
  }

  PairSearch(const PairSearch&) = delete;

  // In public values.
  T distance(Vertex source, Vertex target) {
    start(source, target);
    for (const Vertex s : up_) ascend(s);
    T best = semiring::Bounds<T>::kNoPath;
    for (Vertex s = node_[place_[target]]; s >= 0; s = tree_.parent[s]) {
      if (met_[s]) best = std::min(best, turn(s));
      descend(s);
    }
    for (const Vertex s : up_) met_[s] = false;
    const T none = factored_.nonnegative ? semiring::Bounds<T>::kNoPath : semiring::Bounds<T>::kLimit;
    return best < none ? best : semiring::kNoPath<T>;
  }

 private:
  void start(Vertex source, Vertex target) {
    constexpr T kNone = semiring::Bounds<T>::kNoPath;
    up_.clear();
    for_seeds(factored_, source, [&](Vertex seed, T) {
      for (Vertex s = node_[place_[seed]]; s >= 0 && !met_[s]; s = tree_.parent[s]) {
        met_[s] = true;
        up_.push_back(s);
      }
    });
    if (factored_.zones != nullptr) std::sort(up_.begin(), up_.end());
    for (const Vertex s : up_) std::fill_n(forward_.data() + tree_.first[s], tree_.columns(s), kNone);
    for_seeds(factored_, source, [&](Vertex seed, T value) {
      T& entry = forward_[place_[seed]];
      entry = std::min(entry, value);
    });
    for (Vertex s = node_[place_[target]]; s >= 0; s = tree_.parent[s])
      std::fill_n(backward_.data() + tree_.first[s], tree_.columns(s), kNone);
    backward_[place_[target]] = T{0};
  }

  // sums = the shortest paths from the source over the columns of s and then along `panel` (k, count).
  void extend(const Panels<T>& panels, Vertex first, const T* panel, std::int64_t count) {
    std::fill_n(sums_.data(), count, semiring::Bounds<T>::kNoPath);
    for (std::int64_t i = 0; i < panels.k; ++i, panel += panels.k + panels.r)
      if (forward_[first + i] < semiring::Bounds<T>::kNoPath)
        kernels_.relax(sums_.data(), panel, forward_[first + i], count);
  }

  void ascend(Vertex s) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    extend(panels, tree_.first[s], panels.out + panels.k, panels.r);
    const Vertex* rows = tree_.rows_of(s);
    for (std::int64_t h = 0; h < panels.r; ++h) forward_[rows[h]] = std::min(forward_[rows[h]], sums_[h]);
  }

  void descend(Vertex s) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    const Vertex* rows = tree_.rows_of(s);
    for (std::int64_t h = 0; h < panels.r; ++h)
      backward_[rows[h]] =
          std::min(backward_[rows[h]],
                   kernels_.meet(panels.in + h * panels.k, backward_.data() + tree_.first[s], panels.k));
  }

  // The shortest path that enters the columns of s, continues among them, and leaves for the target.
  T turn(Vertex s) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    extend(panels, tree_.first[s], panels.out, panels.k);
    return kernels_.meet(sums_.data(), backward_.data() + tree_.first[s], panels.k);
  }

  Factored<T> factored_;
  const TreeView& tree_ = factored_.tree;  // so that a search cannot be copied or moved
  const Kernels<T>& kernels_;
  std::vector<Vertex> place_, node_;
  std::vector<T> forward_, backward_;  // (n) by place: from the source, to the target
  std::vector<std::uint8_t> met_;      // (nodes) whether the source lies in the subtree
  std::vector<T> sums_;
  std::vector<Vertex> up_;
};

}  // namespace apsp::elimination
