#include "elimination/schedule.hpp"

#include <algorithm>
#include <stdexcept>

namespace apsp::elimination {
namespace {

constexpr int kFrontsAtOnce = 4;  // of a level: from this number on each has one thread

std::vector<std::vector<Vertex>> subtrees_of(const TreeView& tree, int threads, int parts) {
  std::vector<double> work(tree.nodes, 0.0);
  double total = 0;
  for (std::int64_t s = 0; s < tree.nodes; ++s) {
    const auto k = static_cast<double>(tree.columns(s)), r = static_cast<double>(tree.row_count(s));
    work[s] += k * (k + r) * (k + r) + 50 * (k + r);
    total += k * (k + r) * (k + r) + 50 * (k + r);
    if (tree.parent[s] >= 0) work[tree.parent[s]] += work[s];
  }
  const double most = threads == 1 ? total : total / (parts * threads);
  std::vector<Vertex> root(tree.nodes, -1);  // of the subtree that a supernode belongs to
  std::vector<Vertex> roots;
  for (std::int64_t s = tree.nodes - 1; s >= 0; --s) {
    const Vertex up = tree.parent[s];
    if (work[s] <= most) root[s] = up >= 0 && root[up] >= 0 ? root[up] : static_cast<Vertex>(s);
    if (root[s] == s) roots.push_back(static_cast<Vertex>(s));
  }
  std::vector<std::vector<Vertex>> subtrees(roots.size());
  std::sort(roots.begin(), roots.end(), [&](Vertex a, Vertex b) { return work[a] > work[b]; });
  std::vector<Vertex> index(tree.nodes, -1);
  for (std::size_t i = 0; i < roots.size(); ++i) index[roots[i]] = static_cast<Vertex>(i);
  for (std::int64_t s = 0; s < tree.nodes; ++s)
    if (root[s] >= 0) subtrees[index[root[s]]].push_back(static_cast<Vertex>(s));
  return subtrees;
}

}  // namespace

Schedule schedule_of(const TreeView& tree, int threads, int parts) {
  Schedule schedule{subtrees_of(tree, threads, parts), {}};
  std::vector<bool> done(tree.nodes);
  for (const auto& subtree : schedule.subtrees)
    for (const Vertex s : subtree) done[s] = true;
  std::vector<Vertex> depth(tree.nodes, 0);
  auto& levels = schedule.levels;
  for (std::int64_t s = tree.nodes - 1; s >= 0; --s) {
    if (done[s]) continue;
    if (tree.parent[s] >= 0) depth[s] = depth[tree.parent[s]] + 1;
    if (depth[s] >= static_cast<Vertex>(levels.size())) levels.resize(depth[s] + 1);
    levels[depth[s]].push_back(static_cast<Vertex>(s));
  }
  std::reverse(levels.begin(), levels.end());
  return schedule;
}

void eliminate_all(const TreeView& tree, std::int64_t shared, Team& team,
                   FunctionRef<void(std::int64_t, Team&, int)> eliminate) {
  const Schedule schedule = schedule_of(tree, team.size());
  team.parallel_for(static_cast<std::int64_t>(schedule.subtrees.size()), [&](std::int64_t index, int member) {
    Team alone(1);
    for (const Vertex s : schedule.subtrees[index]) eliminate(s, alone, member);
  });
  Team alone(1);
  for (const std::vector<Vertex>& level : schedule.levels) {
    if (static_cast<int>(level.size()) >= std::min(kFrontsAtOnce, team.size())) {
      team.parallel_for(static_cast<std::int64_t>(level.size()), [&](std::int64_t index, int member) {
        Team own(1);
        eliminate(level[index], own, member);
      });
      continue;
    }
    for (const Vertex s : level) {
      const bool large = tree.columns(s) + tree.row_count(s) >= shared;
      eliminate(s, large ? team : alone, 0);
    }
  }
}

std::vector<std::int64_t> rows_in_front(const TreeView& tree, std::int64_t child, std::int64_t s) {
  const std::int64_t k = tree.columns(s), count = tree.row_count(child);
  const Vertex *rows = tree.rows_of(child), *own = tree.rows_of(s);
  std::vector<std::int64_t> to(static_cast<std::size_t>(count));
  for (std::int64_t i = 0, at = 0; i < count; ++i) {
    if (rows[i] < tree.first[s + 1]) {
      to[i] = rows[i] - tree.first[s];
    } else {
      while (own[at] != rows[i]) ++at;
      to[i] = k + at;
    }
  }
  return to;
}

Children::Children(const TreeView& tree) : first(tree.nodes, -1), next(tree.nodes, -1) {
  for (std::int64_t s = tree.nodes - 1; s >= 0; --s) {
    if (tree.parent[s] < 0) continue;
    next[s] = first[tree.parent[s]];
    first[tree.parent[s]] = static_cast<Vertex>(s);
  }
}

std::int64_t place_in_front(const TreeView& tree, std::int64_t s, Vertex place) {
  if (place < tree.first[s + 1]) return place - tree.first[s];
  const Vertex* rows = tree.rows_of(s);
  const Vertex* end = rows + tree.row_count(s);
  const Vertex* found = std::lower_bound(rows, end, place);
  if (found == end || *found != place)
    throw std::invalid_argument(
        "the elimination tree is of another graph: an arc joins vertices that it keeps apart");
  return tree.columns(s) + (found - rows);
}

std::int64_t entry_of(const TreeView& tree, const std::vector<Vertex>& node, Vertex from, Vertex to) {
  const std::int64_t s = node[std::min(from, to)], k = tree.columns(s), width = k + tree.row_count(s);
  const std::int64_t row = place_in_front(tree, s, from), column = place_in_front(tree, s, to);
  return tree.panel_start[s] + (row < k ? row * width + column : k * width + (row - k) * k + column);
}

}  // namespace apsp::elimination
