#include "elimination/marked.hpp"

#include <algorithm>
#include <functional>

#include "elimination/schedule.hpp"

namespace apsp::elimination {
namespace {

constexpr int kParts = 2;  // few levels remain above the subtrees

}  // namespace

const Shares& Shares::of(const TreeView& tree, int threads) {
  if (threads_ == threads) return *this;
  const Schedule schedule = schedule_of(tree, threads, kParts);
  share_.assign(static_cast<std::size_t>(tree.nodes), 0);
  subtrees_ = std::ssize(schedule.subtrees);
  levels_ = std::ssize(schedule.levels);
  for (std::int64_t i = 0; i < subtrees_; ++i)
    for (const Vertex s : schedule.subtrees[i]) share_[s] = static_cast<Vertex>(i);
  for (std::int64_t i = 0; i < levels_; ++i)
    for (const Vertex s : schedule.levels[i]) share_[s] = static_cast<Vertex>(-1 - i);
  threads_ = threads;
  return *this;
}

Marked::Marked(const Shares& shares)
    : shares_(shares),
      is_marked_(static_cast<std::size_t>(shares.nodes())),
      of_subtrees_(static_cast<std::size_t>(shares.subtrees())),
      of_levels_(static_cast<std::size_t>(shares.levels())) {}

void Marked::mark(Vertex s) {
  if (is_marked_[s] != 0) return;
  is_marked_[s] = 1;
  const Vertex share = shares_[s];
  (share < 0 ? of_levels_[-1 - share] : of_subtrees_[share]).push_back(s);
}

// The marked supernodes of a subtree are a heap, the least first; those that are done stay behind its end.
void Marked::subtree(const TreeView& tree, std::vector<Vertex>& marked, Vertex share, int member,
                     FunctionRef<bool(Vertex, int)> up) {
  const std::greater<Vertex> later;
  std::make_heap(marked.begin(), marked.end(), later);
  std::vector<Vertex> done;
  while (!marked.empty()) {
    std::pop_heap(marked.begin(), marked.end(), later);
    const Vertex s = marked.back(), parent = tree.parent[s];
    marked.pop_back();
    done.push_back(s);
    if (!up(s, member) || parent < 0) continue;
    if (shares_[parent] != share) {
      above_[share] = parent;
    } else if (is_marked_[parent] == 0) {
      is_marked_[parent] = 1;
      marked.push_back(parent);
      std::push_heap(marked.begin(), marked.end(), later);
    }
  }
  marked.swap(done);
}

void Marked::for_each(const TreeView& tree, Team& team, FunctionRef<bool(Vertex, int)> up) {
  std::vector<Vertex> some;
  for (std::int64_t i = 0; i < shares_.subtrees(); ++i)
    if (!of_subtrees_[i].empty()) some.push_back(static_cast<Vertex>(i));
  above_.assign(static_cast<std::size_t>(shares_.subtrees()), -1);
  team.parallel_for(std::ssize(some), [&](std::int64_t index, int member) {
    subtree(tree, of_subtrees_[some[index]], some[index], member, up);
  });
  for (const Vertex share : some)
    if (above_[share] >= 0) mark(above_[share]);
  for (const std::vector<Vertex>& level : of_levels_) {
    std::vector<char> goes_on(level.size());
    team.parallel_for(std::ssize(level), [&](std::int64_t index, int member) {
      goes_on[index] = up(level[index], member) ? 1 : 0;
    });
    for (std::size_t i = 0; i < level.size(); ++i)
      if (const Vertex parent = tree.parent[level[i]]; goes_on[i] != 0 && parent >= 0) mark(parent);
  }
}

std::vector<Vertex> Marked::all() const {
  std::vector<Vertex> found;
  for (const auto* lists : {&of_subtrees_, &of_levels_})
    for (const std::vector<Vertex>& each : *lists) found.insert(found.end(), each.begin(), each.end());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace apsp::elimination
