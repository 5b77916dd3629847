// An elimination tree in parts for a team: subtrees, each for one thread, and the supernodes above them, of
// which those of a level do not depend on each other.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "elimination/tree.hpp"
#include "runtime/team.hpp"

namespace apsp::flows {

class TreeTasks {
 public:
  TreeTasks(const elimination::TreeView& tree, Team& team) : team_(team) {
    std::vector<double> work(tree.nodes, 0.0);
    std::vector<std::int64_t> lowest(tree.nodes), depth(tree.nodes, 0);
    double all = 0;
    for (std::int64_t s = 0; s < tree.nodes; ++s) lowest[s] = s;
    for (std::int64_t s = 0; s < tree.nodes; ++s) {
      const auto k = static_cast<double>(tree.columns(s)), width = k + static_cast<double>(tree.row_count(s));
      work[s] += k * width * width + kNode;
      const std::int64_t up = tree.parent[s];
      if (up < 0) {
        all += work[s];
        continue;
      }
      work[up] += work[s];
      if (lowest[s] < lowest[up]) lowest[up] = lowest[s];
    }
    const double most = team.size() > 1 ? all / (kSubtreesAThread * team.size()) : all;
    for (std::int64_t s = tree.nodes - 1; s >= 0;) {
      if (tree.parent[s] >= 0) depth[s] = depth[tree.parent[s]] + 1;
      if (work[s] <= most) {
        subtrees_.emplace_back(lowest[s], s);
        s = lowest[s] - 1;
        continue;
      }
      if (depth[s] >= static_cast<std::int64_t>(levels_.size())) levels_.resize(depth[s] + 1);
      levels_[depth[s]].push_back(s);
      --s;
    }
  }

  // body(s), children before parents.
  template <class Body>
  void upwards(Body&& body) const {
    team_.parallel_for(static_cast<std::int64_t>(subtrees_.size()), [&](std::int64_t i, int) {
      for (std::int64_t s = subtrees_[i].first; s <= subtrees_[i].second; ++s) body(s);
    });
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) together(*level, body);
  }

  // body(s), parents before children.
  template <class Body>
  void downwards(Body&& body) const {
    for (const auto& level : levels_) together(level, body);
    team_.parallel_for(static_cast<std::int64_t>(subtrees_.size()), [&](std::int64_t i, int) {
      for (std::int64_t s = subtrees_[i].second; s >= subtrees_[i].first; --s) body(s);
    });
  }

 private:
  static constexpr double kSubtreesAThread = 8, kNode = 500;

  template <class Body>
  void together(const std::vector<std::int64_t>& level, Body& body) const {
    team_.parallel_for(static_cast<std::int64_t>(level.size()), [&](std::int64_t i, int) { body(level[i]); });
  }

  Team& team_;
  std::vector<std::pair<std::int64_t, std::int64_t>> subtrees_;  // their first and last supernode
  std::vector<std::vector<std::int64_t>> levels_;                // roots first
};

}  // namespace apsp::flows
