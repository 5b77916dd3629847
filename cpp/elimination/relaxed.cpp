#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "elimination/tree.hpp"

namespace apsp::elimination {
namespace {

constexpr double kVisit = 20;  // cost of visiting a supernode, in pairs per source of a batch

// Limit of the size of a panel relative to the panels that it was made of, so that chains of any length keep
// small factors.
constexpr double kGrown = 8, kSmall = 32;

constexpr double kHandOn = 5;  // the cost of a value that a front passes to the next

struct Size {
  double columns, rows, below;  // `below`: columns of its whole subtree
  double apart;                 // values of the panels that it was made of

  double values() const { return columns * (columns + 2 * rows); }
  bool has_grown() const { return columns > kSmall && values() > kGrown * apart; }
};

// The pairs of the factor, and of n rows of distances: every row is swept down to the supernode, and rows
// that start below it are swept up through it.
double cost(const Size& size, double n) {
  const double panel = size.columns * size.rows, front = size.columns + size.rows;
  const double once = kHandOn * size.rows * size.rows + size.columns * front * front;
  return once + n * (panel + kVisit) + size.below * (size.columns * size.columns + panel + kVisit);
}

class Relaxation {
 public:
  Relaxation(Supernodes nodes, const std::vector<Vertex>& order) : nodes_(std::move(nodes)), order_(order) {
    const std::size_t count = nodes_.count();
    node_of_.resize(order.size());
    for (std::size_t s = 0; s < count; ++s)
      for (Vertex j = nodes_.first[s]; j < nodes_.first[s + 1]; ++j) node_of_[j] = static_cast<Vertex>(s);
    parent_.assign(count, -1);
    into_.resize(count);
    for (std::size_t s = 0; s < count; ++s) {
      into_[s] = static_cast<Vertex>(s);
      if (nodes_.row_count(s) > 0) parent_[s] = node_of_[nodes_.rows[nodes_.begin[s]]];
    }
  }

  Tree run() {
    merge();
    return numbered(depth_first());
  }

 private:
  // Bottom-up, greedily: a supernode is merged into its parent if that is cheaper.
  void merge() {
    const auto n = static_cast<double>(order_.size());
    std::vector<Size> size(parent_.size());
    for (std::size_t s = 0; s < size.size(); ++s) {
      const double columns = nodes_.first[s + 1] - nodes_.first[s];
      size[s].columns = columns;
      size[s].rows = static_cast<double>(nodes_.row_count(s));
      size[s].below += columns;
      size[s].apart = size[s].values();
      if (parent_[s] >= 0) size[parent_[s]].below += size[s].below;
    }
    for (std::size_t s = 0; s < size.size(); ++s) {
      if (parent_[s] < 0) continue;
      const Size& up = size[parent_[s]];
      const Size both{size[s].columns + up.columns, up.rows, up.below, size[s].apart + up.apart};
      if (both.has_grown() || cost(both, n) > cost(size[s], n) + cost(up, n)) continue;
      size[parent_[s]] = both;
      into_[s] = parent_[s];
    }
    for (std::size_t s = size.size(); s-- > 0;)
      into_[s] = into_[into_[s]];  // all the way: parents come later
  }

  Vertex kept(Vertex s) const { return into_[s]; }

  // The supernodes that are left, children before parents, every subtree in one run.
  std::vector<Vertex> depth_first() const {
    const auto count = static_cast<Vertex>(parent_.size());
    std::vector<Vertex> child(parent_.size(), -1), sibling(parent_.size(), -1), stack, visited;
    visited.reserve(parent_.size());
    for (Vertex s = count - 1; s >= 0; --s) {
      if (into_[s] != s || parent_[s] < 0) continue;
      sibling[s] = child[kept(parent_[s])];
      child[kept(parent_[s])] = s;
    }
    for (Vertex root = 0; root < count; ++root) {
      if (into_[root] != root || parent_[root] >= 0) continue;
      stack.push_back(root);
      while (!stack.empty()) {
        const Vertex s = stack.back();
        if (child[s] >= 0) {
          stack.push_back(std::exchange(child[s], sibling[child[s]]));
        } else {
          visited.push_back(s);
          stack.pop_back();
        }
      }
    }
    return visited;
  }

  Tree numbered(const std::vector<Vertex>& sequence) const {
    Tree tree;
    const std::vector<Vertex> part = chained_parts();
    std::vector<Vertex> place(order_.size()), number(parent_.size());
    tree.order.reserve(order_.size());
    std::int64_t rows = 0;
    for (const Vertex s : sequence) {
      number[s] = static_cast<Vertex>(tree.first.size());
      tree.first.push_back(static_cast<Vertex>(tree.order.size()));
      rows += nodes_.row_count(s);
      Vertex from = s;
      do {  // the supernodes that were merged into s, in their order
        from = part[from];
        for (Vertex j = nodes_.first[from]; j < nodes_.first[from + 1]; ++j) {
          place[j] = static_cast<Vertex>(tree.order.size());
          tree.order.push_back(order_[j]);
        }
      } while (from != s);
    }
    tree.first.push_back(static_cast<Vertex>(tree.order.size()));
    tree.rows.reserve(static_cast<std::size_t>(rows));
    tree.row_start.push_back(0);
    tree.panel_start.push_back(0);
    for (const Vertex s : sequence) {
      const auto from = static_cast<std::ptrdiff_t>(tree.rows.size());
      for (std::int64_t at = nodes_.begin[s]; at < nodes_.end[s]; ++at)
        tree.rows.push_back(place[nodes_.rows[at]]);
      std::sort(tree.rows.begin() + from, tree.rows.end());
      tree.row_start.push_back(static_cast<std::int64_t>(tree.rows.size()));
      tree.parent.push_back(parent_[s] < 0 ? -1 : number[kept(parent_[s])]);
      const std::int64_t k = tree.first[number[s] + 1] - tree.first[number[s]];
      tree.panel_start.push_back(tree.panel_start.back() + k * (k + 2 * nodes_.row_count(s)));
    }
    return tree;
  }

  // Rings of the supernodes that were merged: the one that is kept is the last, and is followed by the first.
  std::vector<Vertex> chained_parts() const {
    std::vector<Vertex> next(parent_.size());
    for (Vertex s = 0; s < static_cast<Vertex>(next.size()); ++s) next[s] = s;
    for (Vertex s = static_cast<Vertex>(next.size()) - 1; s >= 0; --s)
      if (kept(s) != s) next[s] = std::exchange(next[kept(s)], s);
    return next;
  }

  Supernodes nodes_;
  const std::vector<Vertex>& order_;
  std::vector<Vertex> node_of_, parent_, into_;
};

}  // namespace

Tree relaxed(Supernodes supernodes, const std::vector<Vertex>& order) {
  return Relaxation(std::move(supernodes), order).run();
}

}  // namespace apsp::elimination
