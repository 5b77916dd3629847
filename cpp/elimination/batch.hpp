// The distances of a batch of sources, one lane each, vertex-major: a line of lanes for every place.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "elimination/kernels.hpp"
#include "elimination/rows.hpp"
#include "runtime/large_pages.hpp"

namespace apsp::elimination {

// Where a search may begin, and at what distance: the source itself, and for a zone (whose arcs are not in
// the factor) the heads of its arcs.
template <class T, class Body>
void for_seeds(const Factored<T>& factored, Vertex source, const Body& body) {
  body(source, T{0});
  if (factored.zones == nullptr || !factored.zones[source]) return;
  for (std::int64_t arc = factored.arcs.begin(source); arc < factored.arcs.end(source); ++arc) {
    T weight;
    graph::read_weights(factored.arcs, semiring::Algebra::kMinPlus, arc, 1, &weight);
    body(factored.arcs.indices[arc], weight);
  }
}

template <class T>
class Batch {
 public:
  Batch(const Factored<T>& factored, const std::vector<Vertex>& place, const std::vector<Vertex>& node,
        std::int64_t lanes)
      : factored_(factored),
        tree_(factored.tree),
        kernels_(kernels<T>(factored.nonnegative)),
        place_(place),
        node_(node),
        lanes_(lanes),
        lines_(on_large_pages<T>(factored.tree.n * lanes)),
        met_(static_cast<std::size_t>(factored.tree.nodes)),
        used_(static_cast<std::size_t>(factored.tree.nodes)) {}

  T* lines() const { return lines_.get(); }
  T* line(std::int64_t place) const { return lines_.get() + place * lanes_; }

  // The lines of all ancestors of the sources (vertices), where only the sources have a distance.
  void seed(const Vertex* sources, std::int64_t count) {
    seed_each([&](const auto& body) {
      for (std::int64_t lane = 0; lane < count; ++lane)
        for_seeds(factored_, sources[lane], [&](Vertex seed, T value) { body(lane, seed, value); });
    });
  }

  // The same of seeds (lane, vertex, value): `each` calls its argument with all of them.
  template <class Each>
  void seed_each(const Each& each) {
    path_.clear();
    each([&](std::int64_t, Vertex seed, T) { mark(node_[place_[seed]]); });
    std::sort(path_.begin(), path_.end());
    for (const Vertex s : path_) {
      std::fill(line(tree_.first[s]), line(tree_.first[s + 1]), semiring::Bounds<T>::kNoPath);
      used_[s] = {};
    }
    each([&](std::int64_t lane, Vertex seed, T value) {
      T& entry = line(place_[seed])[lane];
      entry = std::min(entry, value);
      used_[node_[place_[seed]]].widen(
          {static_cast<std::int16_t>(lane), static_cast<std::int16_t>(lane + 1)});
    });
  }

  // The supernodes of the sources and their ancestors, children first.
  const std::vector<Vertex>& path() const { return path_; }

  // The lines of all ancestors of the sources (vertices), for paths through vertices that are eliminated no
  // later than the ancestors.
  void up(const Vertex* sources, std::int64_t count) {
    seed(sources, count);
    up();
  }

  // The same from lines that are seeded. Only vectors with a lane whose source lies in the subtree are read.
  void up() {
    const std::int64_t vector = kernels_.lanes;
    for (const Vertex s : path_) {
      const Panels<T> panels = panels_of(tree_, factored_.values, s);
      const Lines columns{tree_.first[s], nullptr, panels.k}, rows{0, tree_.rows_of(s), panels.r};
      const std::int64_t first = used_[s].first / vector * vector,
                         width = (used_[s].last - first + vector - 1) / vector * vector;
      if (panels.k > 1)
        kernels_.extend(columns, columns, panels.out, panels.k + panels.r, false, lines() + first, lanes_,
                        width);
      kernels_.extend(rows, columns, panels.out + panels.k, panels.k + panels.r, false, lines() + first,
                      lanes_, width);
      if (tree_.parent[s] >= 0) used_[tree_.parent[s]].widen(used_[s]);
    }
  }

  // The lines of supernode s, from those of its rows.
  void down(std::int64_t s) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    const Lines columns{tree_.first[s], nullptr, panels.k}, rows{0, tree_.rows_of(s), panels.r};
    kernels_.extend(columns, rows, panels.in, panels.k, !met_[s], lines(), lanes_, lanes_);
  }

  // Those of some of its columns; `every` is 0, 1, ..., for all its rows.
  void down(std::int64_t s, const Chosen& to, const Vertex* every) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    kernels_.extend_chosen(to, {tree_.rows_of(s), every, panels.r}, panels.in, panels.k, !met_[s], lines(),
                           lanes_);
  }

  // Whether a source lies in the subtree of s.
  bool met(std::int64_t s) const { return met_[s] != 0; }

  // Forgets the sources.
  void clear() {
    for (const Vertex s : path_) met_[s] = false;
  }

 private:
  // Of lanes, the last one not included.
  struct Range {
    std::int16_t first = std::numeric_limits<std::int16_t>::max(), last = 0;

    void widen(const Range& other) {
      first = std::min(first, other.first);
      last = std::max(last, other.last);
    }
  };

  void mark(Vertex s) {
    for (; s >= 0 && !met_[s]; s = tree_.parent[s]) {
      met_[s] = true;
      path_.push_back(s);
    }
  }

  const Factored<T>& factored_;
  const TreeView& tree_;
  const Kernels<T>& kernels_;
  const std::vector<Vertex>&place_, &node_;
  std::int64_t lanes_;
  Buffer<T> lines_;
  std::vector<std::uint8_t> met_;  // (nodes)
  std::vector<Range> used_;  // (nodes) the lanes whose sources lie in the subtree of a supernode on the path
  std::vector<Vertex> path_;
};

}  // namespace apsp::elimination
