#include "elimination/tree_part.hpp"

#include <algorithm>
#include <numeric>

namespace apsp::elimination {

std::optional<TreePart> TreePart::of(const TreeView& tree, const Places& places,
                                     std::initializer_list<std::span<const Vertex>> vertices) {
  std::vector<bool> used(static_cast<std::size_t>(tree.nodes));
  std::vector<Vertex> nodes;
  std::int64_t columns = 0;
  for (const auto& some : vertices) {
    for (const Vertex vertex : some) {
      for (Vertex s = places.node[places.place[vertex]]; s >= 0 && !used[s]; s = tree.parent[s]) {
        if ((columns += tree.columns(s)) > tree.n / 2) return std::nullopt;
        used[s] = true;
        nodes.push_back(s);
      }
    }
  }
  std::sort(nodes.begin(), nodes.end());  // children come before parents
  return TreePart(tree, places, nodes);
}

TreePart::TreePart(const TreeView& tree, const Places& places, const std::vector<Vertex>& nodes)
    : whole_(&tree), places_(&places), number_(buffer<Vertex>(tree.nodes)) {
  tree_.first.push_back(0);
  tree_.row_start.push_back(0);
  for (const Vertex s : nodes) {
    number_[s] = static_cast<Vertex>(tree_.first.size() - 1);
    tree_.first.push_back(tree_.first.back() + static_cast<Vertex>(tree.columns(s)));
    tree_.row_start.push_back(tree_.row_start.back() + tree.row_count(s));
    tree_.panel_start.push_back(tree.panel_start[s]);
  }
  tree_.panel_start.push_back(tree.entries());
  tree_.rows.reserve(static_cast<std::size_t>(tree_.row_start.back()));
  for (const Vertex s : nodes) {
    tree_.parent.push_back(tree.parent[s] < 0 ? -1 : number_[tree.parent[s]]);
    for (std::int64_t h = 0; h < tree.row_count(s); ++h) {
      const Vertex row = tree.rows_of(s)[h], node = places.node[row];
      tree_.rows.push_back(tree_.first[number_[node]] + row - tree.first[node]);
    }
  }
  tree_.order.resize(static_cast<std::size_t>(tree_.first.back()));
  std::iota(tree_.order.begin(), tree_.order.end(), Vertex{0});
}

std::vector<Vertex> TreePart::numbers(std::span<const Vertex> vertices) const {
  std::vector<Vertex> found;
  found.reserve(vertices.size());
  for (const Vertex vertex : vertices) {
    const Vertex place = places_->place[vertex], node = places_->node[place];
    found.push_back(tree_.first[number_[node]] + place - whole_->first[node]);
  }
  return found;
}

}  // namespace apsp::elimination
