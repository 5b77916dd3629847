#include "elimination/refactor.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <utility>

#include "elimination/factor.hpp"
#include "elimination/front.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {

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
std::vector<std::int64_t> Changes<T>::take(const graph::WeightedArcs& arcs, bool& fits) {
  const graph::Csr& own = assembly_.graph;
  fits = arcs.n == own.n;
  if (!fits) return {};
  std::vector<T> weights(weights_.size(), semiring::Bounds<T>::kNoPath), row;
  for (std::int64_t v = 0; v < own.n; ++v) {
    const std::int64_t begin = arcs.begin(v), count = arcs.end(v) - begin, end = own.indptr[v + 1];
    row.resize(static_cast<std::size_t>(count));
    graph::read_weights(arcs, semiring::Algebra::kMinPlus, begin, count, row.data());
    std::int64_t at = own.indptr[v];
    for (std::int64_t i = 0; i < count; ++i, ++at) {
      while (at < end && own.indices[at] < arcs.indices[begin + i]) ++at;
      fits = at < end && own.indices[at] == arcs.indices[begin + i];
      if (!fits) return {};
      weights[at] = row[i];
    }
  }
  std::vector<std::int64_t> changed;
  for (std::size_t arc = 0; arc < weights.size(); ++arc)
    if (weights[arc] != weights_[arc]) changed.push_back(static_cast<std::int64_t>(arc));
  weights_.swap(weights);
  return changed;
}

template <class T>
std::vector<std::int64_t> Changes<T>::take_some(const std::int64_t* numbers,
                                                const graph::WeightedArcs& weights, std::int64_t count) {
  std::vector<T> read(static_cast<std::size_t>(count));
  graph::read_weights(weights, semiring::Algebra::kMinPlus, 0, count, read.data());
  std::vector<std::int64_t> changed;
  for (std::int64_t i = 0; i < count; ++i)
    if (differs(numbers[i], read[i])) changed.push_back(numbers[i]);
  return changed;
}

template <class T>
std::vector<std::int64_t> Changes<T>::close(const std::int64_t* numbers, std::int64_t count) {
  std::vector<std::int64_t> changed;
  for (std::int64_t i = 0; i < count; ++i)
    if (differs(numbers[i], semiring::Bounds<T>::kNoPath)) changed.push_back(numbers[i]);
  return changed;
}

template <class T>
bool Changes<T>::differs(std::int64_t arc, T weight) {
  return std::exchange(weights_[arc], weight) != weight;
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

template <class T>
std::vector<Vertex> Changes<T>::some(const std::vector<std::int64_t>& changed, double most, const T* before,
                                     T* values, Control& control, bool& complete) {
  const TreeView& tree = assembly_.tree;
  std::vector<bool> is_marked(static_cast<std::size_t>(tree.nodes));
  std::priority_queue<Vertex, std::vector<Vertex>, std::greater<Vertex>> marked;  // children before parents
  const auto mark = [&](Vertex s) {
    if (s < 0 || is_marked[s]) return;
    is_marked[s] = true;
    marked.push(s);
  };
  for (const std::int64_t arc : changed) mark(assembly_.node_of[arc]);
  std::vector<Vertex> renewed;
  std::vector<T> panel, rest;
  Team alone(1);
  double work = 0;
  complete = true;
  while (!marked.empty()) {
    const Vertex s = marked.top();
    marked.pop();
    const std::int64_t k = tree.columns(s), r = tree.row_count(s);
    work += static_cast<double>(k) * static_cast<double>((k + r) * (k + r));
    if (work > most) {
      complete = false;
      break;
    }
    panel.resize(static_cast<std::size_t>(k * (k + 2 * r)));
    rest.resize(static_cast<std::size_t>(r * r));
    eliminate(s, panel.data(), rest.data(), alone, control);
    const std::int64_t start = tree.panel_start[s];
    if (!std::equal(panel.begin(), panel.end(), before + start)) {
      std::copy(panel.begin(), panel.end(), values + start);
      renewed.push_back(s);
    }
    T* handed_up = rests_.data() + assembly_.rest_start[s];
    if (std::equal(rest.begin(), rest.end(), handed_up)) continue;
    std::copy(rest.begin(), rest.end(), handed_up);
    mark(tree.parent[s]);
  }
  return renewed;
}

#define APSP_INSTANTIATE(T) template class Changes<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
