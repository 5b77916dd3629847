#include "elimination/labels.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "elimination/batch.hpp"
#include "elimination/schedule.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kTask = 1024;  // pairs: a tenth of a millisecond
constexpr std::int64_t kAhead = 16;   // pairs whose labels are on their way while others are compared
constexpr std::int64_t kColumns = 8;  // of a supernode, in one task

// Ancestors of each supernode, its own columns included.
std::vector<std::int32_t> lengths_of(const TreeView& tree) {
  std::vector<std::int32_t> length(static_cast<std::size_t>(tree.nodes));
  for (std::int64_t s = tree.nodes - 1; s >= 0; --s) {
    const std::int32_t above = tree.parent[s] < 0 ? 0 : length[tree.parent[s]];
    length[s] = above + static_cast<std::int32_t>(tree.columns(s));
  }
  return length;
}

void check_postorder(const TreeView& tree) {
  std::vector<std::int64_t> size(static_cast<std::size_t>(tree.nodes), 1);  // supernodes of each subtree
  for (std::int64_t s = 0; s < tree.nodes; ++s)
    if (tree.parent[s] >= 0) size[tree.parent[s]] += size[s];
  for (std::int64_t s = 0; s < tree.nodes; ++s) {
    for (std::int64_t child = s - 1, last = s - size[s]; child > last; child -= size[child])
      if (tree.parent[child] != s) throw std::invalid_argument("the elimination tree is not in postorder");
  }
}

// The lines of a label.
std::int64_t lines_for(std::int64_t length, std::int64_t itemsize) {
  return (length * itemsize + kLabelLine - 1) / kLabelLine;
}

std::int64_t lines_of(const TreeView& tree, const std::vector<std::int32_t>& length, std::int64_t itemsize) {
  std::int64_t lines = 0;
  for (std::int64_t s = 0; s < tree.nodes; ++s) lines += tree.columns(s) * lines_for(length[s], itemsize);
  return lines;
}

}  // namespace

std::int64_t label_bytes(const TreeView& tree, std::int64_t itemsize) {
  return kLabelLine * lines_of(tree, lengths_of(tree), itemsize);
}

CommonAncestors::CommonAncestors(const TreeView& tree, std::int64_t itemsize)
    : homes_(static_cast<std::size_t>(tree.n)),
      length_(lengths_of(tree)),
      parent_(static_cast<std::size_t>(tree.nodes)) {
  check_postorder(tree);
  if (lines_of(tree, length_, itemsize) > std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> to_next(parent_.size()), to_here(parent_.size()), of_block;
  for (std::int64_t s = 0; s < tree.nodes; ++s) {
    parent_[s] = tree.parent[s] < 0 ? 0 : length_[tree.parent[s]];
    to_here[s] = s % kBlock == 0 ? kMost : std::min(to_here[s - 1], parent_[s - 1]);
    if (s % kBlock == 0) of_block.push_back(kMost);
    of_block.back() = std::min(of_block.back(), parent_[s]);
  }
  for (std::int64_t s = tree.nodes - 1; s >= 0; --s)
    to_next[s] =
        (s + 1) % kBlock == 0 || s + 1 == tree.nodes ? parent_[s] : std::min(to_next[s + 1], parent_[s]);
  std::int64_t line = 0;
  for (std::int64_t s = 0; s < tree.nodes; ++s) {
    for (Vertex place = tree.first[s]; place < tree.first[s + 1]; ++place, line += lines_for(length_[s], itemsize))
      homes_[tree.order[place]] = {static_cast<std::uint32_t>(line), static_cast<Vertex>(s), to_next[s], to_here[s]};
  }
  for (std::size_t width = 1; !of_block.empty(); width *= 2) {
    least_.push_back(of_block);
    if (of_block.size() <= width) break;
    for (std::size_t i = 0; i + width < of_block.size(); ++i)
      of_block[i] = std::min(of_block[i], of_block[i + width]);
    of_block.resize(of_block.size() - width);
  }
}

std::int64_t CommonAncestors::bytes() const {
  std::size_t bytes = homes_.size() * sizeof(Home) + 2 * parent_.size() * sizeof(std::int32_t);
  for (const auto& level : least_) bytes += level.size() * sizeof(std::int32_t);
  return static_cast<std::int64_t>(bytes);
}

namespace {

// Computes the labels of one supernode from those of its rows, which are above it.
template <class T>
class Labelling {
 public:
  Labelling(const Factored<T>& factored, const CommonAncestors& ancestors, T* onwards, T* apart)
      : factored_(factored),
        tree_(factored.tree),
        kernels_(kernels<T>(factored.nonnegative)),
        ancestors_(ancestors),
        onwards_(onwards),
        apart_(apart),
        node_(nodes_of(tree_)) {
    std::int64_t longest = 0;
    for (std::int64_t s = 0; s < tree_.nodes; ++s) longest = std::max(longest, tree_.row_count(s));
    every_.resize(static_cast<std::size_t>(longest));
    for (std::size_t h = 0; h < every_.size(); ++h) every_[h] = static_cast<Vertex>(h);
  }

  struct Scratch {
    std::vector<T> steps;
    std::vector<Vertex> columns;
  };

  void columns(Vertex s, std::int64_t from, std::int64_t to, Scratch& scratch) const {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    const std::int64_t width = panels.k + panels.r;
    scratch.columns.resize(static_cast<std::size_t>(panels.r));
    scratch.steps.resize(static_cast<std::size_t>(std::max(panels.k, panels.r)));
    const Vertex* rows = tree_.rows_of(s);
    for (std::int64_t h = 0; h < panels.r; ++h) scratch.columns[h] = rows[h] - tree_.first[node_[rows[h]]];
    for (std::int64_t i = from; i < to; ++i) {
      const T* row = panels.out + i * width;
      label(s, i, onwards_, row, row + panels.k, scratch);
      if (apart_ == nullptr) continue;
      T* label_of = start_of(apart_, s, i);
      for (std::int64_t h = 0; h < panels.r; ++h) scratch.steps[h] = panels.in[h * panels.k + i];
      label(s, i, apart_, nullptr, scratch.steps.data(), scratch);
      label_of += above(s);
      for (std::int64_t j = 0; j < panels.k; ++j) label_of[j] = panels.out[j * width + i];
    }
  }

 private:
  std::int64_t above(Vertex s) const { return ancestors_.length(s) - tree_.columns(s); }
  T* start_of(T* labels, Vertex s, std::int64_t column) const {
    return labels + ancestors_.of(tree_.order[tree_.first[s] + column]).line * kOfLine;
  }

  // own: the distances over the columns of s; steps: to its rows.
  void label(Vertex s, std::int64_t column, T* labels, const T* own, const T* steps,
             const Scratch& scratch) const {
    T* to = start_of(labels, s, column);
    std::fill_n(to, above(s), semiring::Bounds<T>::kNoPath);
    if (own != nullptr) std::copy_n(own, tree_.columns(s), to + above(s));
    const Vertex* rows = tree_.rows_of(s);
    for (std::int64_t h = 0, end = 0; h < tree_.row_count(s); h = end) {  // the rows in one supernode
      const Vertex up = node_[rows[h]];
      for (end = h + 1; end < tree_.row_count(s) && rows[end] < tree_.first[up + 1];) ++end;
      const std::int64_t length = ancestors_.length(up), lines = lines_for(length, sizeof(T));
      kernels_.relax_chosen(to, {every_.data() + h, scratch.columns.data() + h, end - h}, steps,
                            start_of(labels, up, 0), lines * kOfLine, length);
    }
  }

  static constexpr std::int64_t kOfLine = kLabelLine / sizeof(T);

  const Factored<T>& factored_;
  const TreeView& tree_;
  const Kernels<T>& kernels_;
  const CommonAncestors& ancestors_;
  T *onwards_, *apart_;
  std::vector<Vertex> node_, every_;
};

}  // namespace

template <class T>
Labels<T>::Labels(const Factored<T>& factored, bool mirrored, Team& team, Control& control)
    : factored_(factored),
      kernels_(kernels<T>(factored.nonnegative)),
      ancestors_(factored.tree, sizeof(T)),
      bytes_(label_bytes(factored.tree, sizeof(T))),
      onwards_(on_large_pages<T>(bytes_ / static_cast<std::int64_t>(sizeof(T)))),
      apart_(mirrored ? nullptr : on_large_pages<T>(bytes_ / static_cast<std::int64_t>(sizeof(T)))),
      back_(mirrored ? onwards_.get() : apart_.get()) {
  compute(team, control);
}

template <class T>
void Labels<T>::compute(Team& team, Control& control) {
  const TreeView& tree = factored_.tree;
  const Labelling<T> labelling(factored_, ancestors_, onwards_.get(), apart_.get());
  std::vector<typename Labelling<T>::Scratch> scratch(static_cast<std::size_t>(team.size()));
  const Schedule schedule = schedule_of(tree, team.size());
  for (auto level = schedule.levels.rbegin(); level != schedule.levels.rend(); ++level) {
    std::vector<std::pair<Vertex, std::int64_t>> parts;
    for (const Vertex s : *level)
      for (std::int64_t i = 0; i < tree.columns(s); i += kColumns) parts.emplace_back(s, i);
    team.parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t index, int member) {
      control.check();
      const auto [s, from] = parts[static_cast<std::size_t>(index)];
      const std::int64_t to = std::min(tree.columns(s), from + kColumns);
      labelling.columns(s, from, to, scratch[static_cast<std::size_t>(member)]);
      control.advance(to - from);
    });
  }
  team.parallel_for(static_cast<std::int64_t>(schedule.subtrees.size()), [&](std::int64_t index, int member) {
    const std::vector<Vertex>& subtree = schedule.subtrees[static_cast<std::size_t>(index)];
    for (auto s = subtree.rbegin(); s != subtree.rend(); ++s) {
      control.check();
      labelling.columns(*s, 0, tree.columns(*s), scratch[static_cast<std::size_t>(member)]);
      control.advance(tree.columns(*s));
    }
  });
}

template <class T>
T Labels<T>::distance(Vertex source, Vertex target) const {
  const CommonAncestors::Home& end = ancestors_.of(target);
  const T none = factored_.nonnegative ? semiring::Bounds<T>::kNoPath : semiring::Bounds<T>::kLimit;
  T best = semiring::kNoPath<T>;
  for_seeds(factored_, source, [&](Vertex seed, T value) {
    const CommonAncestors::Home& start = ancestors_.of(seed);
    const T found = meet(start, end, ancestors_.common(start, end));
    if (!(found < none)) return;
    const auto sum = value + found;  // of uint16, an int
    if (sum < best) best = static_cast<T>(sum);
  });
  return source == target && best < T{0} ? T{0} : best;  // rounding: no cycle is negative
}

template <class T>
void Labels<T>::fill(const Vertex* sources, const Vertex* targets, std::int64_t count, T* dist, Team& team,
                     Control& control) const {
  team.parallel_for((count + kTask - 1) / kTask, [&](std::int64_t task, int) {
    control.check();
    const std::int64_t first = task * kTask, last = std::min(count, first + kTask);
    for (std::int64_t from = first; from < last; from += kAhead) {
      const std::int64_t to = std::min(last, from + kAhead);
      for (std::int64_t i = to; i < std::min(last, to + kAhead); ++i) {
        __builtin_prefetch(&ancestors_.of(sources[i]));
        __builtin_prefetch(&ancestors_.of(targets[i]));
      }
      for (std::int64_t i = from; i < to; ++i) {
        const CommonAncestors::Home &start = ancestors_.of(sources[i]), &end = ancestors_.of(targets[i]);
        const std::int64_t common = ancestors_.common(start, end);
        for (std::int64_t j = 0; j < common; j += kOfLine) {
          __builtin_prefetch(onwards_.get() + start.line * kOfLine + j);
          __builtin_prefetch(back_ + end.line * kOfLine + j);
        }
      }
      for (std::int64_t i = from; i < to; ++i) dist[i] = distance(sources[i], targets[i]);
    }
    control.advance(last - first);
  });
}

template <class T>
std::int64_t Labels<T>::bytes() const {
  return ancestors_.bytes() + bytes_ * (apart_ == nullptr ? 1 : 2);
}

#define APSP_INSTANTIATE(T) template class Labels<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
