// How flow passes a tree whose edges have length zero: paths enter it at some vertices and leave it, or end,
// at some, and there is one way between two of them. A flow from each entrance to each exit is the product of
// its share of the entrances and the flow of the exit.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace apsp::flows {

class TreePassage {
 public:
  struct Node {
    std::int32_t vertex;
    std::int32_t place;  // ascending from a vertex to those beyond it
    double enters;       // share of the paths
    double onward;       // flow that leads on: out of the tree, and after pass() to other vertices of it, too
    double leaves;       // flow that leads out of the tree, or ends
    std::int32_t parent;    // its index
    std::int64_t up, down;  // the arcs to the parent and from it
  };

  void clear() { nodes_.clear(); }
  void add(std::int32_t vertex, std::int32_t place, double enters, double onward, double ends) {
    nodes_.push_back({vertex, place, enters, onward, onward + ends, -1, -1, -1});
  }
  const std::vector<Node>& nodes() const noexcept { return nodes_; }

  // arcs(vertex, visit): calls visit(head, arc) for the arcs of the tree from a vertex.
  template <class Arcs>
  void connect(Arcs&& arcs) {
    std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.place < b.place; });
    by_vertex_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      by_vertex_.push_back({nodes_[i].vertex, static_cast<std::int32_t>(i)});
    std::sort(by_vertex_.begin(), by_vertex_.end());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      arcs(nodes_[i].vertex, [&](std::int32_t head, std::int64_t arc) {
        const Named wanted{head, 0};
        const auto other = std::lower_bound(by_vertex_.begin(), by_vertex_.end(), wanted)->index;
        if (nodes_[other].place < nodes_[i].place) {
          nodes_[i].parent = other;
          nodes_[i].up = arc;
        } else {
          nodes_[other].down = arc;
        }
      });
  }

  // Calls visit(arc, flow) for all arcs, and adds what leads on inside of the tree. Returns all that leaves
  // it.
  template <class Visit>
  double pass(Visit&& visit) {
    const std::size_t size = nodes_.size();
    add_up(&Node::enters, entered_);
    add_up(&Node::leaves, left_);
    for (std::size_t i = 1; i < size; ++i) {
      Node &node = nodes_[i], &parent = nodes_[node.parent];
      const double down = entered_.outside[i] * left_.inside[i], up = entered_.inside[i] * left_.outside[i];
      parent.onward += down;
      node.onward += up;
      visit(node.down, down);
      visit(node.up, up);
    }
    return left_.inside[0];
  }

 private:
  struct Named {
    std::int32_t vertex, index;
    bool operator<(const Named& other) const noexcept { return vertex < other.vertex; }
  };
  struct Sums {
    std::vector<double> inside, outside;  // of the vertices beyond one, with it, and of the others
  };

  // Sums without differences, so that nothing remains of values that are not in them.
  void add_up(double Node::* value, Sums& sums) {
    const std::size_t size = nodes_.size();
    sums.outside.assign(size, 0);
    sums.inside.resize(size);
    for (std::size_t i = 0; i < size; ++i) sums.inside[i] = nodes_[i].*value;
    for (std::size_t i = size - 1; i > 0; --i) sums.inside[nodes_[i].parent] += sums.inside[i];
    const auto beside = [&](std::size_t i) {  // the children of the same vertex that came before
      double& before = before_[nodes_[i].parent];
      sums.outside[i] += before;
      before += sums.inside[i];
    };
    before_.assign(size, 0);
    for (std::size_t i = 1; i < size; ++i) beside(i);
    before_.assign(size, 0);
    for (std::size_t i = size - 1; i > 0; --i) beside(i);
    for (std::size_t i = 1; i < size; ++i) {
      const std::int32_t parent = nodes_[i].parent;
      sums.outside[i] += sums.outside[parent] + nodes_[parent].*value;
    }
  }

  std::vector<Node> nodes_;
  std::vector<Named> by_vertex_;
  Sums entered_, left_;
  std::vector<double> before_;
};

}  // namespace apsp::flows
