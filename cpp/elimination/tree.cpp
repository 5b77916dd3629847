#include "elimination/tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "runtime/marks.hpp"

namespace apsp::elimination {
namespace {

std::vector<Vertex> inverse(const std::vector<Vertex>& order) {
  std::vector<Vertex> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<Vertex>(i);
  return place;
}

// Columns one by one, in postorder: the rows of a column are its neighbours and the rows of its children. The
// rows of all supernodes are in one array; while there are no new rows, those of the next column are the same
// without the first.
class Columns {
 public:
  Columns(const Neighbours& graph, const std::vector<Vertex>& order, std::int64_t most)
      : graph_(graph),
        order_(order),
        place_(inverse(order)),
        most_(most),
        seen_(static_cast<std::int64_t>(order.size())),
        child_(order.size(), -1) {
    nodes_.rows.reserve(4 * graph.other.size());
  }

  // False if there are more entries than allowed.
  bool run(const Control& control) {
    const auto n = static_cast<Vertex>(order_.size());
    for (Vertex j = 0; j < n; ++j) {
      if (j % 4096 == 0) control.check();
      const bool follows = count() > 0 && first_row() == j;  // the first row of the column before
      if (!follows) seen_.clear();
      const std::size_t known = nodes_.rows.size();
      append_new_rows(j);
      if (follows && nodes_.rows.size() == known) {
        ++nodes_.begin.back();
      } else {
        start_node(j, follows, known);
      }
      const std::int64_t seen = count();
      entries_ += 2 * seen + 1;
      if (entries_ > most_) return false;
      if (seen == n - 1 - j && seen > 0) {  // all remaining columns are its rows, and so it will be for them
        nodes_.end.back() = nodes_.begin.back();
        entries_ += seen * seen;
        break;
      }
      if (seen > 0 && first_row() != j + 1) hand_to(first_row());
    }
    nodes_.first.push_back(n);
    return entries_ <= most_;
  }

  Supernodes take() { return std::move(nodes_); }

 private:
  std::int64_t count() const { return nodes_.begin.empty() ? 0 : nodes_.end.back() - nodes_.begin.back(); }
  Vertex first_row() const { return nodes_.rows[nodes_.begin.back()]; }

  // The rows of column j that the column before, if it precedes this one in a supernode, does not have.
  void append_new_rows(Vertex j) {
    const auto add = [&](Vertex i) {
      if (i <= j || seen_.has(i)) return;
      seen_.add(i);
      nodes_.rows.push_back(i);
    };
    for (const Vertex* u = graph_.begin(order_[j]); u != graph_.end(order_[j]); ++u) add(place_[*u]);
    for (Vertex child = child_[j]; child >= 0; child = sibling_[child])
      for (std::int64_t at = nodes_.begin[child]; at < nodes_.end[child]; ++at) add(nodes_.rows[at]);
  }

  // A supernode from column j on, whose rows are those after `known` and, if it `follows`, those of the last.
  void start_node(Vertex j, bool follows, std::size_t known) {
    std::vector<Vertex>& rows = nodes_.rows;
    std::sort(rows.begin() + static_cast<std::ptrdiff_t>(known), rows.end());
    if (follows) {
      fresh_.assign(rows.begin() + static_cast<std::ptrdiff_t>(known), rows.end());
      const std::int64_t from = nodes_.begin.back() + 1, to = nodes_.end.back();
      rows.resize(known + fresh_.size() + static_cast<std::size_t>(to - from));
      std::merge(fresh_.begin(), fresh_.end(), rows.begin() + from, rows.begin() + to,
                 rows.begin() + static_cast<std::ptrdiff_t>(known));
    }
    nodes_.first.push_back(j);
    nodes_.begin.push_back(static_cast<std::int64_t>(known));
    nodes_.end.push_back(static_cast<std::int64_t>(rows.size()));
    sibling_.push_back(-1);
  }

  // The last supernode is complete: its rows are added to the column that is the first of them.
  void hand_to(Vertex column) {
    const auto last = static_cast<Vertex>(nodes_.begin.size()) - 1;
    sibling_[last] = child_[column];
    child_[column] = last;
  }

  const Neighbours& graph_;
  const std::vector<Vertex>& order_;
  std::vector<Vertex> place_;
  std::int64_t most_, entries_ = 0;
  Marks seen_;  // the rows of the run of columns
  std::vector<Vertex> child_, sibling_, fresh_;
  Supernodes nodes_;
};

}  // namespace

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

Tree eliminate(const Neighbours& graph, std::vector<Vertex> order, std::int64_t most,
               const Control& control) {
  control.check();
  std::vector<Vertex> sorted;
  sorted.reserve(order.size());
  for (const Vertex i : postorder(parents_of(graph, order, inverse(order)))) sorted.push_back(order[i]);
  Columns columns(graph, sorted, most);
  control.check();
  if (!columns.run(control)) return {};
  control.check();
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
    for (std::int64_t h = 0, up = 0; h < r; ++h) {  // rows of s are rows of its parent
      const Vertex* above = tree.rows_of(tree.parent[s]);
      if (tree.rows_of(s)[h] < tree.first[tree.parent[s] + 1]) continue;
      while (up < tree.row_count(tree.parent[s]) && above[up] < tree.rows_of(s)[h]) ++up;
      require(up < tree.row_count(tree.parent[s]) && above[up] == tree.rows_of(s)[h]);
    }
  }
}

}  // namespace apsp::elimination
