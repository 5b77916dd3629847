// One distance from a factor: up the tree from the source and, against the arcs, from the target; a shortest
// path has its highest point in a supernode above both. Strasser and Wagner 2015, "Customizable contraction
// hierarchies", section 6 (elimination tree query), on supernodes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "elimination/batch.hpp"
#include "runtime/buffer.hpp"

namespace apsp::elimination {

template <class T>
bool is_mirrored(const Panels<T>& panels) {
  const std::int64_t width = panels.k + panels.r;
  for (std::int64_t i = 0; i < panels.k; ++i) {
    const T* row = panels.out + i * width;
    for (std::int64_t j = 0; j < i; ++j)
      if (row[j] != panels.out[j * width + i]) return false;
    for (std::int64_t h = 0; h < panels.r; ++h)
      if (row[panels.k + h] != panels.in[h * panels.k + i]) return false;
  }
  return true;
}

// Whether every distance is the same in both directions, as in undirected graphs without zones. Then a target
// climbs like a source. Cost: the entries once, up to the first difference.
template <class T>
bool is_mirrored(const TreeView& tree, const T* values) {
  for (Vertex s = 0; s < tree.nodes; ++s)
    if (!is_mirrored(panels_of(tree, values, s))) return false;
  return true;
}

// Scratch memory for consecutive queries. Those that follow each other with the same source share its half.
// kTracked: it remembers which supernodes gave the distances, for routes (route.hpp).
template <class T, bool kTracked = false>
class PairSearch {
 public:
  // place, node: of all vertices (places_of, nodes_of); the caller keeps them alive.
  // mirrored: see is_mirrored.
  PairSearch(const Factored<T>& factored, const std::vector<Vertex>& place, const std::vector<Vertex>& node,
             bool mirrored)
      : factored_(factored),
        kernels_(kernels<T>(factored.nonnegative)),
        place_(place),
        node_(node),
        forward_(buffer<T>(factored.tree.n)),
        turned_(buffer<T>(factored.tree.n)),
        backward_(buffer<T>(factored.tree.n)),
        met_(factored.tree.nodes),
        mirrored_(mirrored) {
    std::int64_t longest = 0;
    for (std::int64_t s = 0; s < tree_.nodes; ++s) longest = std::max(longest, tree_.row_count(s));
    sums_.resize(longest);
    if (kTracked) up_from_ = buffer<Vertex>(tree_.n);
    if (kTracked) down_from_ = buffer<Vertex>(tree_.n);
  }

  PairSearch(const PairSearch&) = delete;

  // In public values.
  T distance(Vertex source, Vertex target) {
    from(source);
    return to(target);
  }

  // The next paths begin at a source, which climbs as far as they need.
  void from(Vertex source) {
    for (const Vertex s : up_) met_[s] = kNotMet;
    up_.clear();
    climbed_ = 0;
    start(source);
  }

  // The distance from the last source, in public values. enough: one that is known (from labels), where the
  // search ends.
  T to(Vertex target, const T* enough = nullptr) {
    if (enough != nullptr && *enough == semiring::kNoPath<T>) return *enough;
    constexpr T kNone = semiring::Bounds<T>::kNoPath;
    for (Vertex s = node_[place_[target]]; s >= 0; s = tree_.parent[s]) {
      std::fill_n(backward_.get() + tree_.first[s], tree_.columns(s), kNone);
      if constexpr (kTracked) std::fill_n(down_from_.get() + tree_.first[s], tree_.columns(s), Vertex{-1});
    }
    backward_[place_[target]] = T{0};
    T best = kNone;
    for (Vertex s = node_[place_[target]]; s >= 0; s = tree_.parent[s]) {
      if (met_[s] != kNotMet) {
        while (climbed_ < up_.size() && up_[climbed_] < s) ascend(up_[climbed_++]);
        const T found = turn(s);
        if (kTracked && found < best) top_ = s;
        best = std::min(best, found);
        if (enough != nullptr && best <= *enough) break;
      }
      descend(s);
    }
    const T none = factored_.nonnegative ? kNone : semiring::Bounds<T>::kLimit;
    return best < none ? best : semiring::kNoPath<T>;
  }

 protected:
  // kTurned: turned_ holds the distances from the source over the columns of the supernode.
  enum Met : std::uint8_t { kNotMet, kMet, kTurned };

  void start(Vertex source) {
    constexpr T kNone = semiring::Bounds<T>::kNoPath;
    for_seeds(factored_, source, [&](Vertex seed, T) {
      for (Vertex s = node_[place_[seed]]; s >= 0 && met_[s] == kNotMet; s = tree_.parent[s]) {
        met_[s] = kMet;
        up_.push_back(s);
      }
    });
    if (factored_.zones != nullptr) std::sort(up_.begin(), up_.end());
    for (const Vertex s : up_) {
      std::fill_n(forward_.get() + tree_.first[s], tree_.columns(s), kNone);
      if constexpr (kTracked) std::fill_n(up_from_.get() + tree_.first[s], tree_.columns(s), Vertex{-1});
    }
    for_seeds(factored_, source, [&](Vertex seed, T value) {
      T& entry = forward_[place_[seed]];
      entry = std::min(entry, value);
    });
  }

  void ascend(Vertex s) { climb(s, forward_.get(), up_from_); }

  // The distances over the columns of s reach its rows, along its arcs; `from` learns which rows.
  void climb(Vertex s, T* distances, Buffer<Vertex>& from) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    kernels_.add(sums_.data(), distances + tree_.first[s], panels.k, panels.out + panels.k,
                 panels.k + panels.r, panels.r);
    const Vertex* rows = tree_.rows_of(s);
    for (std::int64_t h = 0; h < panels.r; ++h) {
      if (kTracked && sums_[h] < distances[rows[h]]) from[rows[h]] = s;
      distances[rows[h]] = std::min(distances[rows[h]], sums_[h]);
    }
  }

  // Against its arcs: a sum per row, which takes longer than to climb.
  void descend(Vertex s) {
    if (mirrored_) {
      climb(s, backward_.get(), down_from_);
      return;
    }
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    const Vertex* rows = tree_.rows_of(s);
    for (std::int64_t h = 0; h < panels.r; ++h) {
      const T found = kernels_.meet(panels.in + h * panels.k, backward_.get() + tree_.first[s], panels.k);
      if (kTracked && found < backward_[rows[h]]) down_from_[rows[h]] = s;
      backward_[rows[h]] = std::min(backward_[rows[h]], found);
    }
  }

  // The shortest path that enters the columns of s, continues among them, and leaves for the target.
  T turn(Vertex s) {
    const Vertex first = tree_.first[s];
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    if (met_[s] != kTurned)
      kernels_.add(turned_.get() + first, forward_.get() + first, panels.k, panels.out, panels.k + panels.r,
                   panels.k);
    met_[s] = kTurned;
    return kernels_.meet(turned_.get() + first, backward_.get() + first, panels.k);
  }

  Factored<T> factored_;
  const TreeView& tree_ = factored_.tree;  // so that a search cannot be copied or moved
  const Kernels<T>& kernels_;
  const std::vector<Vertex>&place_, &node_;
  // (n) by place: from the source up to each column, and over the other columns of its supernode; to the
  // target. A query writes what it reads.
  Buffer<T> forward_, turned_, backward_;
  std::vector<Met> met_;  // (nodes) whether the source lies in the subtree
  std::vector<T> sums_;
  std::vector<Vertex> up_;
  std::size_t climbed_ = 0;  // of up_
  // (n) by place, if tracked: the supernode that gave the distance up or down; -1 where the search begins.
  Buffer<Vertex> up_from_, down_from_;
  Vertex top_ = -1;  // the supernode in which the last path turns
  bool mirrored_;
};

}  // namespace apsp::elimination
