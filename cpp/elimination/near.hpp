// The sweeps of a batch of sources, restricted to what is near: Delling, Goldberg, Nowatzyk, Werneck 2011
// (PHAST: one source per lane) with the bounded search of Dijkstra.
//
// The least value of a line over its lanes follows the same recurrence as the line, so it is computed first,
// with one value instead of a line, and a line is computed only if its least value is within the bound.
// Arcs are not negative, so the paths to places within the bound pass such lines only.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "elimination/batch.hpp"
#include "elimination/descent.hpp"
#include "runtime/prefetch.hpp"

namespace apsp::elimination {

// The children of every supernode, one list after the other; the list of the roots comes last.
struct ChildLists {
  std::vector<Vertex> list;
  std::vector<std::int64_t> start;  // (nodes + 2)

  explicit ChildLists(const TreeView& tree)
      : list(static_cast<std::size_t>(tree.nodes)), start(static_cast<std::size_t>(tree.nodes + 2)) {
    const auto group = [&](std::int64_t s) { return tree.parent[s] < 0 ? tree.nodes : tree.parent[s]; };
    for (std::int64_t s = 0; s < tree.nodes; ++s) ++start[group(s) + 1];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    std::vector<std::int64_t> next(start.begin(), start.end() - 1);
    for (std::int64_t s = 0; s < tree.nodes; ++s) list[next[group(s)]++] = static_cast<Vertex>(s);
  }
};

template <class T>
class Near {
 public:
  Near(const Factored<T>& factored, const std::vector<Vertex>& place, const std::vector<Vertex>& node,
       const Slots& slots, const ChildLists& children, std::int64_t lanes, T bound)
      : factored_(factored),
        tree_(factored.tree),
        slots_(slots),
        children_(children),
        kernels_(kernels<T>(true)),
        batch_(factored, place, node, lanes),
        lanes_(lanes),
        bound_(bound),
        lines_(on_large_pages<T>(slots.count * lanes)),
        least_(static_cast<std::size_t>(tree_.n)),
        slot_least_(static_cast<std::size_t>(slots.count)) {}

  // see(line, place) for every place that may be within the bound of a source; lanes beyond the bound have
  // any value beyond it.
  template <class See>
  void run(const Vertex* sources, std::int64_t count, const Control& control, const See& see) {
    batch_.seed(sources, count);
    for (const Vertex s : batch_.path())
      for (std::int64_t p = tree_.first[s]; p < tree_.first[s + 1]; ++p)
        least_[p] = *std::min_element(batch_.line(p), batch_.line(p) + lanes_);
    std::int64_t done = 0;
    for (const Vertex s : batch_.path()) {
      if (++done % 256 == 0) control.check();
      up(s);
    }
    stack_.clear();
    push_children(tree_.nodes);
    while (!stack_.empty()) {
      if (++done % 1024 == 0) control.check();
      const Vertex s = stack_.back();
      stack_.pop_back();
      if (down(s, see)) push_children(s);
    }
    batch_.clear();
  }

 private:
  static constexpr T kNone = semiring::Bounds<T>::kNoPath;

  struct Picked {
    std::vector<Vertex> line, entry;
    void clear() { line.clear(), entry.clear(); }
    void add(std::int64_t number, std::int64_t at) {
      line.push_back(static_cast<Vertex>(number)), entry.push_back(static_cast<Vertex>(at));
    }
    Chosen view() const { return {line.data(), entry.data(), static_cast<std::int64_t>(line.size())}; }
  };

  void push_children(std::int64_t s) {
    for (std::int64_t i = children_.start[s]; i < children_.start[s + 1]; ++i) {
      fetch(children_.list[i]);
      stack_.push_back(children_.list[i]);
    }
  }

  // Into the cache: the sweep skips subtrees, so processors do not foresee what it reads.
  void fetch(Vertex s) const {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    prefetch(panels.in, panels.k * panels.r);
    prefetch(slots_.rows.data() + tree_.row_start[s], panels.r);
  }
  template <class V>
  static void prefetch(const V* from, std::int64_t count) {
    constexpr std::int64_t kLine = 64 / sizeof(V), kMost = 4 * kLine;
    for (std::int64_t i = 0; i < std::min(count, kMost); i += kLine) apsp::prefetch(from + i);
  }

  void up(Vertex s) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    const std::int64_t first = tree_.first[s], width = panels.k + panels.r;
    const Vertex* rows = tree_.rows_of(s);
    from_.clear(), to_.clear();
    for (std::int64_t i = 0; i < panels.k; ++i)
      if (least_[first + i] <= bound_) from_.add(first + i, i);
    if (from_.line.empty()) return;
    reach_.assign(static_cast<std::size_t>(width), kNone);
    kernels_.relax_chosen(reach_.data(), from_.view(), least_.data(), panels.out, width, width);
    for (std::int64_t i = 0; i < panels.k; ++i) least_[first + i] = std::min(least_[first + i], reach_[i]);
    if (panels.k > 1) {
      for (std::int64_t i = 0; i < panels.k; ++i)
        if (reach_[i] <= bound_) to_.add(first + i, i);
      kernels_.extend_chosen(to_.view(), from_.view(), panels.out, width, false, batch_.lines(), lanes_);
      to_.clear();
    }
    for (std::int64_t j = 0; j < panels.r; ++j) {
      if (reach_[panels.k + j] > bound_) continue;
      to_.add(rows[j], panels.k + j);
      least_[rows[j]] = std::min(least_[rows[j]], reach_[panels.k + j]);
    }
    kernels_.extend_chosen(to_.view(), from_.view(), panels.out, width, false, batch_.lines(), lanes_);
  }

  // Whether the subtree of s may have a place within the bound.
  template <class See>
  bool down(Vertex s, const See& see) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    const Vertex* rows = slots_.rows.data() + tree_.row_start[s];
    const std::int64_t first = tree_.first[s], slot = slots_.first[s];
    const bool met = batch_.met(s);
    from_.clear(), to_.clear();
    for (std::int64_t j = 0; j < panels.r; ++j)
      if (slot_least_[rows[j]] <= bound_) from_.add(rows[j], j);
    if (from_.line.empty() && !met) return false;
    T* least = slot_least_.data() + slot;
    if (met)
      std::copy_n(least_.data() + first, panels.k, least);
    else
      std::fill_n(least, panels.k, kNone);
    kernels_.relax_chosen(least, from_.view(), slot_least_.data(), panels.in, panels.k, panels.k);
    for (std::int64_t i = 0; i < panels.k; ++i) {
      if (least[i] > bound_) continue;
      to_.add(slot + i, i);
      if (met) std::copy_n(batch_.line(first + i), lanes_, lines_.get() + (slot + i) * lanes_);
    }
    if (!from_.line.empty())
      kernels_.extend_chosen(to_.view(), from_.view(), panels.in, panels.k, !met, lines_.get(), lanes_);
    for (std::size_t i = 0; i < to_.line.size(); ++i)
      see(lines_.get() + to_.line[i] * lanes_, first + to_.entry[i]);
    return true;
  }

  const Factored<T>& factored_;
  const TreeView& tree_;
  const Slots& slots_;
  const ChildLists& children_;
  const Kernels<T>& kernels_;
  Batch<T> batch_;
  std::int64_t lanes_;
  T bound_;
  Buffer<T> lines_;
  std::vector<T> least_;       // (n) of the lines of the sweep up
  std::vector<T> slot_least_;  // (slots) of the lines of the sweep down
  std::vector<T> reach_;
  Picked from_, to_;
  std::vector<Vertex> stack_;
};

}  // namespace apsp::elimination
