// The sweep down the tree for consumers that read every line once: a line is kept only while supernodes below
// may read it. All rows of a supernode are on its path to the root, so siblings share slots, and the number
// of lines that are kept is that of the longest such path.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "elimination/batch.hpp"
#include "runtime/large_pages.hpp"

namespace apsp::elimination {

struct Slots {
  std::vector<Vertex> first;  // (nodes) the slot of the first column of each supernode
  std::vector<Vertex> rows;   // the slots of all rows, as tree.rows
  std::int64_t count = 0;

  Slots(const TreeView& tree, const std::vector<Vertex>& node)
      : first(static_cast<std::size_t>(tree.nodes)),
        rows(static_cast<std::size_t>(tree.row_start[tree.nodes])) {
    for (std::int64_t s = tree.nodes - 1; s >= 0; --s) {
      const Vertex up = tree.parent[s];
      first[s] = up < 0 ? 0 : first[up] + static_cast<Vertex>(tree.columns(up));
      count = std::max<std::int64_t>(count, first[s] + tree.columns(s));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Vertex s = node[tree.rows[i]];
      rows[i] = first[s] + tree.rows[i] - tree.first[s];
    }
  }
};

// Yields the lines of all places from the last to the first, some at a time.
template <class T>
class Descent {
 public:
  Descent(const Factored<T>& factored, const Slots& slots, std::int64_t lanes)
      : factored_(factored),
        slots_(slots),
        lanes_(lanes),
        kernels_(kernels<T>(factored.nonnegative)),
        lines_(on_large_pages<T>(slots.count * lanes)),
        recent_(buffer<T>(kRecent * lanes)) {}

  // see(lines, first, count): the lines of the places first .. first + count - 1, one after the other.
  // `batch` has made the sweep up.
  template <class See>
  void run(const Batch<T>& batch, const Control& control, const See& see) {
    const TreeView& tree = factored_.tree;
    std::int64_t waiting = 0;  // lines at the end of recent_ that were not passed on yet
    const auto show = [&](std::int64_t first) {
      if (waiting > 0) see(recent_.get() + (kRecent - waiting) * lanes_, first, waiting);
      waiting = 0;
    };
    for (std::int64_t s = tree.nodes - 1; s >= 0; --s) {
      if (s % 1024 == 0) control.check();
      const T* lines = visit(s, batch);
      const std::int64_t count = tree.columns(s);
      if (waiting + count > kRecent) show(tree.first[s + 1]);
      if (count > kRecent) {
        see(lines, tree.first[s], count);
      } else {
        waiting += count;
        std::copy_n(lines, count * lanes_, recent_.get() + (kRecent - waiting) * lanes_);
      }
    }
    show(0);
  }

 private:
  static constexpr std::int64_t kRecent = 96;  // lines that are passed on together

  const T* visit(std::int64_t s, const Batch<T>& batch) {
    const TreeView& tree = factored_.tree;
    const Panels<T> panels = panels_of(tree, factored_.values, s);
    T* lines = lines_.get() + slots_.first[s] * lanes_;
    const bool met = batch.met(s);
    if (met) std::copy_n(batch.line(tree.first[s]), panels.k * lanes_, lines);
    const Lines columns{slots_.first[s], nullptr, panels.k},
        rows{0, slots_.rows.data() + tree.row_start[s], panels.r};
    kernels_.extend(columns, rows, panels.in, panels.k, !met, lines_.get(), lanes_, lanes_);
    return lines;
  }

  const Factored<T>& factored_;
  const Slots& slots_;
  std::int64_t lanes_;
  const Kernels<T>& kernels_;
  Buffer<T> lines_, recent_;
};

}  // namespace apsp::elimination
