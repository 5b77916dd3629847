#include "elimination/tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apsp::elimination {
namespace {

// The elimination tree of places, by Liu's algorithm: parent[j] is the first later place that j sees once it
// goes.
std::vector<Vertex> parents_of(const Neighbours& graph, const std::vector<Vertex>& order,
                               const std::vector<Vertex>& place) {
  std::vector<Vertex> parent(order.size(), -1), ancestor(order.size(), -1);
  for (Vertex j = 0; j < static_cast<Vertex>(order.size()); ++j) {
    for (const Vertex* u = graph.begin(order[j]); u != graph.end(order[j]); ++u) {
      for (Vertex i = place[*u]; i != -1 && i < j;) {
        const Vertex up = ancestor[i];
        ancestor[i] = j;
        if (up == -1) parent[i] = j;
        i = up == j ? -1 : up;
      }
    }
  }
  return parent;
}

// Children before parents, every subtree in one run. parent[i] > i.
std::vector<Vertex> postorder(const std::vector<Vertex>& parent) {
  const auto n = static_cast<Vertex>(parent.size());
  std::vector<Vertex> child(n, -1), sibling(n, -1), roots, visited;
  for (Vertex v = n - 1; v >= 0; --v) {
    if (parent[v] < 0) {
      roots.push_back(v);
    } else {
      sibling[v] = child[parent[v]];
      child[parent[v]] = v;
    }
  }
  visited.reserve(n);
  std::vector<Vertex> stack;
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
    stack.push_back(*root);
    while (!stack.empty()) {
      const Vertex v = stack.back();
      if (child[v] >= 0) {
        const Vertex down = std::exchange(child[v], sibling[child[v]]);
        stack.push_back(down);
      } else {
        visited.push_back(v);
        stack.pop_back();
      }
    }
  }
  return visited;
}

std::vector<Vertex> inverse(const std::vector<Vertex>& order) {
  std::vector<Vertex> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<Vertex>(i);
  return place;
}

// Columns one by one, in postorder: the rows of a column are its own neighbours and what its children saw.
class Columns {
 public:
  Columns(const Neighbours& graph, const std::vector<Vertex>& order, std::int64_t most)
      : graph_(graph), order_(order), place_(inverse(order)), most_(most), seen_(order.size(), -1) {}

  // False where there are more entries than allowed.
  bool run() {
    const auto n = static_cast<Vertex>(order_.size());
    std::vector<std::vector<Vertex>> children(
        order_.size());  // supernodes by the column that is their parent
    for (Vertex j = 0; j < n; ++j) {
      std::vector<Vertex> rows = rows_of(j, children[j]);
      const auto count = static_cast<std::int64_t>(rows.size());
      const bool joins = !nodes_.rows.empty() && last_seen_ == j && last_count_ == count + 1;
      if (joins) {
        nodes_.rows.back() = std::move(rows);
      } else {
        nodes_.first.push_back(j);
        nodes_.rows.push_back(std::move(rows));
      }
      last_count_ = count;
      const std::vector<Vertex>& kept = nodes_.rows.back();
      last_seen_ = kept.empty() ? -1 : kept.front();
      entries_ += 2 * count + 1;
      if (entries_ > most_) return false;
      if (count == n - 1 - j && count > 0) {  // it sees all that is left, and so will they
        nodes_.rows.back().clear();
        entries_ += count * count;
        break;
      }
      const bool ends = last_seen_ != j + 1;
      if (ends && last_seen_ >= 0) children[last_seen_].push_back(last());
      if (!ends) waiting_ = last();  // the next column may join it, or is its parent
    }
    nodes_.first.push_back(n);
    return entries_ <= most_;
  }

  Supernodes take() { return std::move(nodes_); }

 private:
  Vertex last() const { return static_cast<Vertex>(nodes_.rows.size()) - 1; }

  std::vector<Vertex> rows_of(Vertex j, const std::vector<Vertex>& children) {
    std::vector<Vertex> rows;
    const auto add = [&](Vertex i) {
      if (i <= j || seen_[i] == j) return;
      seen_[i] = j;
      rows.push_back(i);
    };
    if (waiting_ >= 0)
      for (const Vertex i : nodes_.rows[waiting_]) add(i);
    waiting_ = -1;
    const std::size_t sorted = rows.size();
    for (const Vertex* u = graph_.begin(order_[j]); u != graph_.end(order_[j]); ++u) add(place_[*u]);
    for (const Vertex child : children)
      for (const Vertex i : nodes_.rows[child]) add(i);
    if (rows.size() > sorted) std::sort(rows.begin(), rows.end());
    return rows;
  }

  const Neighbours& graph_;
  const std::vector<Vertex>& order_;
  std::vector<Vertex> place_;
  std::int64_t most_, entries_ = 0;
  std::vector<Vertex> seen_;
  Supernodes nodes_;
  std::int64_t last_count_ = 0;
  Vertex last_seen_ = -1, waiting_ = -1;
};

}  // namespace

Tree eliminate(const Neighbours& graph, std::vector<Vertex> order, std::int64_t most) {
  std::vector<Vertex> sorted;
  sorted.reserve(order.size());
  for (const Vertex i : postorder(parents_of(graph, order, inverse(order)))) sorted.push_back(order[i]);
  Columns columns(graph, sorted, most);
  if (!columns.run()) return {};
  return relaxed(columns.take(), sorted);
}

Fill fill_of(const TreeView& tree) {
  Fill fill;
  for (std::int64_t s = 0; s < tree.nodes; ++s) {
    const auto k = static_cast<double>(tree.columns(s)), r = static_cast<double>(tree.row_count(s));
    fill.pairs += k * (k + r) * (k + r);
    fill.row_pairs += k * r;
  }
  fill.entries = tree.nodes == 0 ? 0 : tree.entries();
  return fill;
}

std::vector<Vertex> places_of(const TreeView& tree) {
  std::vector<Vertex> place(tree.n, -1);
  for (Vertex i = 0; i < static_cast<Vertex>(tree.n); ++i) place[tree.order[i]] = i;
  return place;
}

std::vector<Vertex> nodes_of(const TreeView& tree) {
  std::vector<Vertex> node(tree.n);
  for (std::int64_t s = 0; s < tree.nodes; ++s)
    std::fill(node.begin() + tree.first[s], node.begin() + tree.first[s + 1], static_cast<Vertex>(s));
  return node;
}

void check_tree(const TreeView& tree, std::int64_t row_count) {
  const auto require = [](bool claim) {
    if (!claim) throw std::invalid_argument("the elimination tree is damaged");
  };
  require(tree.first[0] == 0 && tree.first[tree.nodes] == tree.n);
  require(tree.row_start[0] == 0 && tree.row_start[tree.nodes] == row_count && tree.panel_start[0] == 0);
  std::vector<bool> named(tree.n);
  for (std::int64_t i = 0; i < tree.n; ++i) {
    require(tree.order[i] >= 0 && tree.order[i] < tree.n && !named[tree.order[i]]);
    named[tree.order[i]] = true;
  }
  for (std::int64_t s = 0; s < tree.nodes; ++s)
    require(tree.first[s] < tree.first[s + 1] && tree.row_start[s] <= tree.row_start[s + 1]);
  const std::vector<Vertex> node = nodes_of(tree);
  for (std::int64_t s = 0; s < tree.nodes; ++s) {
    const std::int64_t k = tree.columns(s), r = tree.row_count(s);
    require(tree.panel_start[s + 1] - tree.panel_start[s] == k * (k + 2 * r));
    for (std::int64_t h = 0; h < r; ++h)
      require(tree.rows_of(s)[h] >= (h == 0 ? tree.first[s + 1] : tree.rows_of(s)[h - 1] + 1) &&
              tree.rows_of(s)[h] < tree.n);
    require(tree.parent[s] == (r == 0 ? -1 : node[tree.rows_of(s)[0]]));
    for (std::int64_t h = 0, up = 0; h < r; ++h) {  // what s sees, its parent sees
      const Vertex* above = tree.rows_of(tree.parent[s]);
      if (tree.rows_of(s)[h] < tree.first[tree.parent[s] + 1]) continue;
      while (up < tree.row_count(tree.parent[s]) && above[up] < tree.rows_of(s)[h]) ++up;
      require(up < tree.row_count(tree.parent[s]) && above[up] == tree.rows_of(s)[h]);
    }
  }
}

}  // namespace apsp::elimination
