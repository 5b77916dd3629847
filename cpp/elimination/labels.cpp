#include "elimination/labels.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "elimination/batch.hpp"
#include "elimination/neighbours.hpp"
#include "elimination/schedule.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kTask = 1024;  // pairs: a tenth of a millisecond
constexpr std::int64_t kAhead = 16;   // pairs whose labels are on their way while others are compared
constexpr Vertex kColumns = 8;        // of a supernode, in one task

std::int64_t lines_for(std::int64_t values, std::int64_t itemsize) {
  return (values * itemsize + kLabelLine - 1) / kLabelLine;
}

template <class T>
graph::Csr csr_of(const Factored<T>& factored) {
  const graph::WeightedArcs& arcs = factored.arcs;
  return {arcs.n, arcs.indptr, arcs.indices, arcs.indptr[arcs.n],
          reinterpret_cast<const std::uint8_t*>(factored.zones)};
}

}  // namespace

Ancestors::Ancestors(const TreeView& tree, const graph::Csr& graph)
    : parent(parents_of(neighbours_of(graph), {tree.order, tree.order + tree.n}, places_of(tree))),
      depth(parent.size()) {
  for (std::size_t place = depth.size(); place-- > 0;)
    depth[place] = parent[place] < 0 ? 1 : depth[static_cast<std::size_t>(parent[place])] + 1;
}

std::int64_t Ancestors::bytes(std::int64_t itemsize) const {
  std::int64_t lines = 0;
  for (const std::int32_t each : depth) lines += lines_for(each, itemsize);
  return lines * kLabelLine;
}

CommonAncestors::CommonAncestors(const TreeView& tree, const Ancestors& ancestors, std::int64_t itemsize)
    : homes_(ancestors.depth.size()), above_(homes_.size()) {
  if (ancestors.bytes(itemsize) / kLabelLine > std::numeric_limits<std::uint32_t>::max())
    throw std::bad_alloc();
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::vector<Vertex> places = postorder(ancestors.parent);
  std::vector<std::int32_t> of_block;
  std::int64_t line = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool begins = i % kBlock == 0;
    Home& home = homes_[tree.order[places[i]]];
    home.line = static_cast<std::uint32_t>(line);
    home.number = static_cast<Vertex>(i);
    home.to_here = begins ? kMost : of_block.back();
    above_[i] = ancestors.depth[places[i]] - 1;
    if (begins) of_block.push_back(kMost);
    of_block.back() = std::min(of_block.back(), above_[i]);
    line += lines_for(ancestors.depth[places[i]], itemsize);
  }
  for (std::size_t i = places.size(); i-- > 0;) {
    const bool ends = i + 1 == places.size() || (i + 1) % kBlock == 0;
    homes_[tree.order[places[i]]].to_next =
        ends ? above_[i] : std::min(above_[i], homes_[tree.order[places[i + 1]]].to_next);
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
  std::size_t bytes = homes_.size() * sizeof(Home) + above_.size() * sizeof(std::int32_t);
  for (const auto& level : least_) bytes += level.size() * sizeof(std::int32_t);
  return static_cast<std::int64_t>(bytes);
}

template <class T>
Labels<T>::Memory::Memory(std::int64_t bytes, bool mirrored)
    : onwards(on_large_pages<T>(bytes / static_cast<std::int64_t>(sizeof(T)))),
      apart(mirrored ? nullptr : on_large_pages<T>(bytes / static_cast<std::int64_t>(sizeof(T)))) {}

template <class T>
Labels<T>::Labels(const Factored<T>& factored, bool mirrored, Team& team, Control& control)
    : factored_(factored),
      kernels_(kernels<T>(factored.nonnegative)),
      places_(std::make_shared<const LabelPlaces>(factored.tree, csr_of(factored), sizeof(T))),
      memory_(std::make_shared<Memory>(places_->bytes, mirrored)) {
  for_columns(team, control, [&](Vertex s, Vertex from, Vertex to) {
    for (Vertex place = from; place < to; ++place) {
      compute(place, s, memory_->onwards.get(), true);
      if (memory_->apart != nullptr) compute(place, s, memory_->apart.get(), false);
    }
  });
}

template <class T>
typename Labels<T>::Spare Labels<T>::take_spare() {
  const bool unread = has_spare();
  Spare spare = std::exchange(spare_, {});
  if (!unread) return {};
  std::atomic_thread_fence(std::memory_order_acquire);  // after the last reader
  return spare;
}

template <class T>
Labels<T>::Labels(const Factored<T>& factored, const Labels& before, Spare spare,
                  const std::vector<Vertex>* renewed, bool keep, Team& team, Control& control)
    : factored_(factored),
      kernels_(kernels<T>(factored.nonnegative)),
      places_(before.places_),
      memory_(spare.memory != nullptr ? std::move(spare.memory)
                                      : std::make_shared<Memory>(places_->bytes, before.mirrored())) {
  const TreeView& tree = factored.tree;
  const bool known = !spare.lacks.empty();
  std::vector<std::uint8_t> again(static_cast<std::size_t>(tree.nodes), renewed == nullptr),
      changed(static_cast<std::size_t>(tree.n));
  if (renewed != nullptr)
    for (const Vertex s : *renewed) again[s] = 1;
  for_columns(team, control, [&](Vertex s, Vertex from, Vertex to) {
    const Vertex* rows = tree.rows_of(s);
    const bool differs = again[s] || std::any_of(rows, rows + tree.row_count(s),
                                                 [&](Vertex row) { return changed[row] != 0; });
    for (Vertex place = from; place < to; ++place)
      changed[place] = follow(place, s, *before.memory_, differs, !known || spare.lacks[place]);
  });
  if (keep) spare_ = {before.memory_, std::move(changed)};
}

// The label of a column of a supernode after a change; whether it has changed. again: what it is computed
// from may have. lacking: this memory does not have the one before.
template <class T>
bool Labels<T>::follow(Vertex place, Vertex node, const Memory& before, bool again, bool lacking) const {
  if (!again && !lacking) return false;
  const std::int32_t depth = places_->ancestors.depth[place];
  const Vertex vertex = factored_.tree.order[place];
  const auto direction = [&](T* labels, const T* old, bool onwards) {
    if (again) {
      compute(place, node, labels, onwards);
      return !std::equal(label(labels, vertex), label(labels, vertex) + depth, label(old, vertex));
    }
    std::copy_n(label(old, vertex), depth, label(labels, vertex));
    return false;
  };
  const bool changed = direction(memory_->onwards.get(), before.onwards.get(), true);
  return (memory_->apart != nullptr && direction(memory_->apart.get(), before.apart.get(), false)) || changed;
}

template <class T>
template <class Columns>
void Labels<T>::for_columns(Team& team, Control& control, const Columns& columns) const {
  const TreeView& tree = factored_.tree;
  const auto some = [&](Vertex s, Vertex from, Vertex to) {
    control.check();
    columns(s, from, to);
    control.advance(to - from);
  };
  const Schedule schedule = schedule_of(tree, team.size());
  for (auto level = schedule.levels.rbegin(); level != schedule.levels.rend(); ++level) {
    std::vector<std::pair<Vertex, Vertex>> parts;
    for (const Vertex s : *level)
      for (Vertex from = tree.first[s]; from < tree.first[s + 1]; from += kColumns)
        parts.emplace_back(s, from);
    team.parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t index, int) {
      const auto [s, from] = parts[static_cast<std::size_t>(index)];
      some(s, from, std::min<Vertex>(tree.first[s + 1], from + kColumns));
    });
  }
  team.parallel_for(static_cast<std::int64_t>(schedule.subtrees.size()), [&](std::int64_t index, int) {
    const std::vector<Vertex>& subtree = schedule.subtrees[static_cast<std::size_t>(index)];
    for (auto s = subtree.rbegin(); s != subtree.rend(); ++s) some(*s, tree.first[*s], tree.first[*s + 1]);
  });
}

// The label of a column of a supernode, in one direction.
template <class T>
void Labels<T>::compute(Vertex place, Vertex node, T* labels, bool onwards) const {
  constexpr T kNone = semiring::Bounds<T>::kNoPath;
  const TreeView& tree = factored_.tree;
  const Ancestors& ancestors = places_->ancestors;
  const Panels<T> panels = panels_of(tree, factored_.values, node);
  const std::int64_t width = panels.k + panels.r, column = place - tree.first[node];
  T* to = label(labels, tree.order[place]);
  const std::int32_t depth = ancestors.depth[place];
  std::fill_n(to, depth, kNone);
  for (Vertex own = place; own >= 0 && own < tree.first[node + 1]; own = ancestors.parent[own]) {
    const std::int64_t other = own - tree.first[node];
    to[ancestors.depth[own] - 1] = panels.out[onwards ? column * width + other : other * width + column];
  }
  const Vertex* rows = tree.rows_of(node);
  for (std::int64_t h = 0; h < panels.r; ++h) {
    const T step = onwards ? panels.out[column * width + panels.k + h] : panels.in[h * panels.k + column];
    if (!(step < kNone)) continue;
    const std::int32_t above = ancestors.depth[rows[h]];
    if (above >= depth) throw std::invalid_argument("the elimination tree is of another graph");
    kernels_.relax(to, label(labels, tree.order[rows[h]]), step, above);
  }
}

template <class T>
std::int64_t Labels<T>::bytes() const {
  const std::int64_t copies = (mirrored() ? 1 : 2) * (spare_.memory == nullptr ? 1 : 2);
  return places_->common.bytes() + places_->ancestors.bytes() + places_->bytes * copies +
         static_cast<std::int64_t>(spare_.lacks.size());
}

template <class T>
T Labels<T>::distance(Vertex source, Vertex target) const {
  const CommonAncestors& common = places_->common;
  const T* back = memory_->back();
  const CommonAncestors::Home& end = common.of(target);
  const T none = factored_.nonnegative ? semiring::Bounds<T>::kNoPath : semiring::Bounds<T>::kLimit;
  T best = semiring::kNoPath<T>;
  for_seeds(factored_, source, [&](Vertex seed, T value) {
    const CommonAncestors::Home& start = common.of(seed);
    const T found = kernels_.meet(memory_->onwards.get() + start.line * kOfLine, back + end.line * kOfLine,
                                  common.common(start, end));
    if (!(found < none)) return;
    const auto sum = value + found;  // of uint16, an int
    if (sum < best) best = static_cast<T>(sum);
  });
  return source == target && best < T{0} ? T{0} : best;  // rounding: no cycle is negative
}

template <class T>
void Labels<T>::fill(const Vertex* sources, const Vertex* targets, std::int64_t count, T* dist, Team& team,
                     Control& control) const {
  const CommonAncestors& places = places_->common;
  const T *onwards = memory_->onwards.get(), *back = memory_->back();
  team.parallel_for((count + kTask - 1) / kTask, [&](std::int64_t task, int) {
    control.check();
    const std::int64_t first = task * kTask, last = std::min(count, first + kTask);
    for (std::int64_t from = first; from < last; from += kAhead) {
      const std::int64_t to = std::min(last, from + kAhead);
      for (std::int64_t i = to; i < std::min(last, to + kAhead); ++i) {
        __builtin_prefetch(&places.of(sources[i]));
        __builtin_prefetch(&places.of(targets[i]));
      }
      for (std::int64_t i = from; i < to; ++i) {
        const CommonAncestors::Home &start = places.of(sources[i]), &end = places.of(targets[i]);
        const std::int64_t common = places.common(start, end);
        for (std::int64_t j = 0; j < common; j += kOfLine) {
          __builtin_prefetch(onwards + start.line * kOfLine + j);
          __builtin_prefetch(back + end.line * kOfLine + j);
        }
      }
      for (std::int64_t i = from; i < to; ++i) dist[i] = distance(sources[i], targets[i]);
    }
    control.advance(last - first);
  });
}

#define APSP_INSTANTIATE(T) template class Labels<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
