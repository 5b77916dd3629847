#include "elimination/refactor.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "elimination/factor.hpp"
#include "elimination/front.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

constexpr std::size_t kFewArcs = 16;  // what they change takes less time than to start threads

// The sums of std::atomic<double> itself are missing in libc++ before LLVM 18.
void add(std::atomic<double>& sum, double value) {
  double before = sum.load(std::memory_order_relaxed);
  while (!sum.compare_exchange_weak(before, before + value, std::memory_order_relaxed)) {
  }
}

}  // namespace

Assembly::Assembly(const TreeView& tree, const graph::Csr& graph)
    : tree(tree),
      graph(graph),
      node_of(static_cast<std::size_t>(graph.m), -1),
      first(static_cast<std::size_t>(tree.nodes + 1)),
      rest_start(static_cast<std::size_t>(tree.nodes + 1)),
      children(tree) {
  if (graph.n != tree.n) throw std::invalid_argument("the elimination tree is of a graph of another size");
  const std::vector<Vertex> place = places_of(tree), node = nodes_of(tree);
  std::int64_t used = 0;
  for (Vertex v = 0; v < static_cast<Vertex>(tree.n); ++v) {
    if (graph.is_zone(v)) continue;
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1]; ++arc, ++used) {
      node_of[arc] = node[std::min(place[v], place[graph.indices[arc]])];
      ++first[node_of[arc] + 1];
    }
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  arcs.resize(static_cast<std::size_t>(used));
  for (Vertex v = 0; v < static_cast<Vertex>(tree.n); ++v)
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1]; ++arc)
      if (const Vertex s = node_of[arc]; s >= 0)
        arcs[next[s]++] = {arc,
                           entry_of(tree, node, place[v], place[graph.indices[arc]]) - tree.panel_start[s]};
  in_front.reserve(static_cast<std::size_t>(tree.nodes == 0 ? 0 : tree.row_start[tree.nodes]));
  for (std::int64_t s = 0; s < tree.nodes; ++s) {
    const std::int64_t r = tree.row_count(s);
    rest_start[s + 1] = rest_start[s] + r * r;
    if (r == 0) continue;
    for (const std::int64_t row : rows_in_front(tree, s, tree.parent[s]))
      in_front.push_back(static_cast<Vertex>(row));
  }
}

template <class T>
Changes<T>::Changes(const Assembly& assembly)
    : assembly_(assembly),
      weights_(static_cast<std::size_t>(assembly.graph.m), semiring::Bounds<T>::kNoPath),
      rests_(static_cast<std::size_t>(assembly.rest_start.back())) {}

template <class T>
std::int64_t Changes<T>::take(const graph::WeightedArcs& arcs, std::int64_t most) {
  const graph::Csr& own = assembly_.graph;
  if (arcs.n != own.n) return -1;
  std::vector<T> weights(weights_.size(), semiring::Bounds<T>::kNoPath), row;
  if (arcs.indptr == own.indptr && arcs.indices == own.indices) {
    graph::read_weights(arcs, semiring::Algebra::kMinPlus, 0, own.m, weights.data());
  } else {
    for (std::int64_t v = 0; v < own.n; ++v) {
      const std::int64_t begin = arcs.begin(v), count = arcs.end(v) - begin, end = own.indptr[v + 1];
      row.resize(static_cast<std::size_t>(count));
      graph::read_weights(arcs, semiring::Algebra::kMinPlus, begin, count, row.data());
      std::int64_t at = own.indptr[v];
      for (std::int64_t i = 0; i < count; ++i, ++at) {
        while (at < end && own.indices[at] < arcs.indices[begin + i]) ++at;
        if (at >= end || own.indices[at] != arcs.indices[begin + i]) return -1;
        weights[at] = row[i];
      }
    }
  }
  weights_.swap(weights);
  old_.clear();
  std::int64_t changed = 0;
  for (std::size_t arc = 0; arc < weights.size(); ++arc)
    if (weights[arc] != weights_[arc] && ++changed <= most)
      old_.push_back({static_cast<std::int64_t>(arc), weights[arc]});
  return changed;
}

template <class T>
std::int64_t Changes<T>::take_some(std::span<const std::int64_t> numbers, const graph::WeightedArcs& weights,
                                   std::span<const std::int64_t> closed) {
  std::vector<T> read(numbers.size());
  graph::read_weights(weights, semiring::Algebra::kMinPlus, 0, std::ssize(numbers), read.data());
  old_.clear();
  for (std::size_t i = 0; i < numbers.size(); ++i) change(numbers[i], read[i]);
  for (const std::int64_t arc : closed) change(arc, semiring::Bounds<T>::kNoPath);
  return static_cast<std::int64_t>(old_.size());
}

template <class T>
void Changes<T>::change(std::int64_t arc, T weight) {
  const T old = std::exchange(weights_[arc], weight);
  if (old != weight) old_.push_back({arc, old});
}

// Closes the front of s: its panel, and in `rest` the paths between its rows.
template <class T>
void Changes<T>::eliminate(std::int64_t s, T* panel, T* rest, Team& team, Control& control) {
  constexpr T kNone = semiring::Bounds<T>::kNoPath;
  const TreeView& tree = assembly_.tree;
  const std::int64_t k = tree.columns(s), r = tree.row_count(s);
  control.check();
  std::fill_n(panel, k * (k + 2 * r), kNone);
  std::fill_n(rest, r * r, kNone);
  for (std::int64_t i = 0; i < k; ++i) panel[i * (k + r) + i] = T{0};
  for (std::int64_t i = assembly_.first[s]; i < assembly_.first[s + 1]; ++i) {
    const Assembly::Arc& arc = assembly_.arcs[i];
    panel[arc.entry] = std::min(panel[arc.entry], weights_[arc.number]);
  }
  const Front<T> front{panel, panel + k * (k + r), rest, k, r};
  for (Vertex child = assembly_.children.first[s]; child >= 0; child = assembly_.children.next[child])
    merge_rest(assembly_.in_front.data() + tree.row_start[child], tree.row_count(child),
               rests_.data() + assembly_.rest_start[child], front);
  Fronts<T>(true, control).close(front.out, front.in, r > 0 ? rest : nullptr, k, r, team);
}

template <class T>
void Changes<T>::all(T* values, Team& team, Control& control) {
  const TreeView& tree = assembly_.tree;
  eliminate_all(tree, kSharedFront, team, [&](std::int64_t s, Team& workers, int) {
    eliminate(s, values + tree.panel_start[s], rests_.data() + assembly_.rest_start[s], workers, control);
  });
}

// Where an arc that has changed is in the front of its supernode.
template <class T>
Replaced<T> Changes<T>::replaced(const Old& old) const {
  const std::int64_t s = assembly_.node_of[old.arc], k = assembly_.tree.columns(s);
  const std::int64_t width = k + assembly_.tree.row_count(s);
  const auto begin = assembly_.arcs.begin();
  const std::int64_t entry =
      std::lower_bound(begin + assembly_.first[s], begin + assembly_.first[s + 1], old.arc,
                       [](const Assembly::Arc& arc, std::int64_t number) { return arc.number < number; })
          ->entry;
  const std::int64_t below = entry - k * width;  // in the rows
  const std::int64_t from = below < 0 ? entry / width : k + below / k,
                     to = below < 0 ? entry % width : below % k;
  return {static_cast<Vertex>(from), static_cast<Vertex>(to), old.weight, weights_[old.arc]};
}

// What has changed in the front of s: steps of its arcs, and what its children hand up, in this order.
template <class T>
void Changes<T>::gather(std::int64_t s, std::vector<Replaced<T>>& steps) {
  steps = by_arcs_[s];
  for (Vertex child = assembly_.children.first[s]; child >= 0; child = assembly_.children.next[child])
    steps.insert(steps.end(), handed_up_[child].begin(), handed_up_[child].end());
}

// Lowers the open entries of the front of s to the steps between their places.
template <class T>
void Changes<T>::lower_open(std::int64_t s, Member& member) {
  if (member.front.opened().empty()) return;
  const std::int64_t k = assembly_.tree.columns(s), width = k + assembly_.tree.row_count(s);
  for (std::int64_t i = assembly_.first[s]; i < assembly_.first[s + 1]; ++i) {
    const auto [number, entry] = assembly_.arcs[i];
    const std::int64_t below = entry - k * width;
    const std::int64_t row = below < 0 ? entry / width : k + below / k;
    const std::int64_t column = below < 0 ? entry % width : below % k;
    if (member.front.is_open(row, column)) member.front.lower(row, column, weights_[number]);
  }
  member.place.assign(static_cast<std::size_t>(width), -1);
  for (Vertex child = assembly_.children.first[s]; child >= 0; child = assembly_.children.next[child])
    lower_to_rest(child, member);
}

template <class T>
void Changes<T>::lower_to_rest(Vertex child, Member& member) {
  const std::int64_t count = assembly_.tree.row_count(child);
  const Vertex* to = assembly_.in_front.data() + assembly_.tree.row_start[child];
  const T* rest = rests_.data() + assembly_.rest_start[child];
  ChangedFront<T>& front = member.front;
  std::vector<Vertex>& place = member.place;
  for (std::int64_t i = 0; i < count; ++i) place[to[i]] = static_cast<Vertex>(i);
  for (const Vertex row : front.opened()) {
    if (place[row] < 0) continue;
    const T* from = rest + place[row] * count;
    const std::vector<Vertex>& open = front.open(row);
    if (std::ssize(open) < count) {
      for (const Vertex column : open)
        if (place[column] >= 0) front.lower(row, column, from[place[column]]);
    } else {
      for (std::int64_t j = 0; j < count; ++j)
        if (front.is_open(row, to[j])) front.lower(row, to[j], from[j]);
    }
  }
  for (std::int64_t i = 0; i < count; ++i) place[to[i]] = -1;
}

// Compares a row of the front of s with what it was before in its panel, and in the rest of the front, which
// it hands up to the parent.
template <class T>
void Changes<T>::compare(std::int64_t s, std::int64_t place, const T* panel, const T* rest,
                         const Front<T>& now, Outcome& outcome) {
  const std::int64_t k = now.k, r = now.r;
  if (place < k) {
    outcome.differs |= !std::equal(panel, panel + k + r, now.out + place * (k + r));
    return;
  }
  const T* between = now.rest + (place - k) * r;
  if (!std::equal(rest, rest + r, between)) {
    outcome.handed_up = true;
    if constexpr (std::is_integral_v<T>) {
      const Vertex* to = assembly_.in_front.data() + assembly_.tree.row_start[s];
      for (std::int64_t j = 0; j < r; ++j)
        if (rest[j] != between[j]) handed_up_[s].push_back({to[place - k], to[j], rest[j], between[j]});
    }
  }
  outcome.differs |= !std::equal(panel, panel + k, now.in + (place - k) * k);
}

// Eliminates s again, or changes its front, unless `work` has become more than `most`.
template <class T>
auto Changes<T>::renew(std::int64_t s, double most, std::atomic<double>& work, T* values, Member& member,
                       Control& control) -> Outcome {
  const TreeView& tree = assembly_.tree;
  const std::int64_t k = tree.columns(s), r = tree.row_count(s), width = k + r;
  T* own = values + tree.panel_start[s];
  const Front<T> front{own, own + k * width, rests_.data() + assembly_.rest_start[s], k, r};
  Outcome outcome;
  gather(s, member.steps);
  if (std::is_integral_v<T> && member.front.change(front, member.steps)) {
    add(work, member.front.pairs());
    lower_open(s, member);
    member.front.close(control);
    for (const Vertex place : member.front.written())
      compare(s, place, member.front.before(place), member.front.before(place) + k, front, outcome);
    return outcome;
  }
  add(work, static_cast<double>(k * width) * static_cast<double>(width));
  if (work > most) return outcome;
  member.panel.assign(own, own + k * (width + r));
  member.rest.assign(front.rest, front.rest + r * r);
  Team alone(1);
  eliminate(s, own, front.rest, alone, control);
  for (std::int64_t place = 0; place < width; ++place) {
    const std::int64_t row = place - k, start = row < 0 ? place * width : k * width + row * k;
    compare(s, place, member.panel.data() + start, row < 0 ? nullptr : member.rest.data() + row * r, front,
            outcome);
  }
  return outcome;
}

template <class T>
std::vector<Vertex> Changes<T>::some(double most, T* values, int threads, Control& control, bool& complete) {
  const TreeView& tree = assembly_.tree;
  by_arcs_.resize(static_cast<std::size_t>(tree.nodes));
  handed_up_.resize(static_cast<std::size_t>(tree.nodes));
  for (const Vertex s : touched_) {
    by_arcs_[s].clear();
    handed_up_[s].clear();
  }
  touched_.clear();
  Team team(old_.size() < kFewArcs ? 1 : threads);
  Marked marked(shares_.of(tree, threads));
  for (const Old& old : old_) {
    const Vertex s = assembly_.node_of[old.arc];
    if (s < 0) continue;
    marked.mark(s);
    by_arcs_[s].push_back(replaced(old));
  }
  if (std::ssize(members_) < team.size()) members_.resize(static_cast<std::size_t>(team.size()));
  std::vector<char> differs(static_cast<std::size_t>(tree.nodes));
  std::atomic<double> work{0};
  marked.for_each(tree, team, [&](Vertex s, int member) {
    if (work > most) return false;
    const Outcome outcome = renew(s, most, work, values, members_[member], control);
    differs[s] = outcome.differs;
    return outcome.handed_up;
  });
  touched_ = marked.all();
  complete = work <= most;
  std::vector<Vertex> renewed;
  for (const Vertex s : touched_)
    if (differs[s]) renewed.push_back(s);
  return renewed;
}

#define APSP_INSTANTIATE(T) template class Changes<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
