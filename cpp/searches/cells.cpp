#include "searches/cells.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <vector>

#include "rows/arcs.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/prefetch.hpp"
#include "searches/ring.hpp"
#include "searches/seed_label.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {
namespace {

// body(head, label) for all arcs in the range that end below the ceiling.
template <class T, class Body>
void extend(const rows::ArcRange<T>& range, const SeedLabel<T>& from, T ceiling, const Body& body) {
  for (const rows::Arc<T>& arc : range) {
    const SeedLabel<T> label = from.extended(arc.weight);
    if (label < SeedLabel<T>(ceiling, 0)) body(arc.head, label);
  }
}

// Whether some arc has length zero; throws an error for one below zero or not-a-number.
template <class T>
bool check_weights(const T* weights, std::int64_t m) {
  bool bad = false, zeros = false;
  for (std::int64_t arc = 0; arc < m; ++arc) {
    bad |= !(weights[arc] >= T{0});
    zeros |= weights[arc] == T{0};
  }
  if (!bad) return zeros;
  const T* wrong = std::find_if(weights, weights + m, [](T weight) { return !(weight >= T{0}); });
  throw std::invalid_argument("arc " + std::to_string(wrong - weights) +
                              " is shorter than zero or not a number");
}

// One search over the arrays as they are: a copy of the arcs would take as long as a third of it.
template <class T>
class Cells {
 public:
  // before: (n,) the vertex before each vertex on the path from its seed, -1 if there is none; or nullptr.
  Cells(const graph::Csr& graph, const T* weights, T ceiling, bool zeros, std::int32_t* before)
      : graph_(graph),
        weights_(weights),
        none_(ceiling, 0),
        before_(before),
        labels_(static_cast<std::size_t>(graph.n), none_),
        queue_(labels_.data(), sample_arcs(weights, graph.m), zeros) {}

  // Paths may start at a zone, but not pass through it: the arcs of seeds that are zones are relaxed first.
  void run(const std::int32_t* seeds, std::int64_t count, const Control& control) {
    for (std::int32_t i = 0; i < count; ++i) lower(seeds[i], {T{0}, i}, -1);
    for (std::int32_t i = 0; i < count; ++i)
      if (graph_.is_zone(seeds[i])) relax(seeds[i], {T{0}, i});
    typename RingQueue<Label>::Item item(none_, -1);
    std::int64_t taken = 0;
    while (queue_.open([&](std::int32_t v) { prefetch(graph_.indptr + v); })) {
      control.check();
      for (std::size_t i = 0; i < kArcsAhead; ++i) fetch_arcs(queue_.ahead(i));
      for (std::size_t i = 0; i < kHeadsAhead; ++i) fetch_heads(queue_.ahead(i));
      while (true) {
        fetch_arcs(queue_.ahead(kArcsAhead));
        fetch_heads(queue_.ahead(kHeadsAhead));
        if (!queue_.take(item)) break;
        if ((++taken & 0xfff) == 0) control.check();
        if (item == labels_[item.vertex] && !graph_.is_zone(item.vertex)) relax(item.vertex, item);
      }
    }
  }

  void write(const std::int32_t* seeds, std::int32_t* nearest, T* lengths) const {
    for (std::int64_t v = 0; v < graph_.n; ++v) {
      if (!(labels_[v] < none_)) continue;
      nearest[v] = seeds[labels_[v].seed()];
      lengths[v] = static_cast<T>(labels_[v].length());
    }
  }

 private:
  using Label = SeedLabel<T>;
  static constexpr std::size_t kArcsAhead = 8, kHeadsAhead = 4;  // items
  static constexpr std::int64_t kMostHeads = 16;

  void lower(std::int32_t v, const Label& label, std::int32_t from) {
    const Label old = labels_[v];
    if (!(label < old)) return;
    labels_[v] = label;
    if (before_ != nullptr) before_[v] = from;
    queue_.lower(v, label, old, !(old < none_));
  }

  void relax(std::int32_t u, const Label& label) {
    const std::int64_t end = graph_.indptr[u + 1];
    for (std::int64_t a = graph_.indptr[u]; a < end; ++a)
      lower(graph_.indices[a], label.extended(weights_[a]), u);
  }

  void fetch_arcs(const typename RingQueue<Label>::Item* item) const {
    if (item == nullptr) return;
    const std::int64_t first = graph_.indptr[item->vertex];
    prefetch(graph_.indices + first);
    prefetch(weights_ + first);
  }

  void fetch_heads(const typename RingQueue<Label>::Item* item) const {
    if (item == nullptr) return;
    const std::int64_t first = graph_.indptr[item->vertex];
    const std::int64_t end = std::min(graph_.indptr[item->vertex + 1], first + kMostHeads);
    for (std::int64_t a = first; a < end; ++a) prefetch(labels_.data() + graph_.indices[a]);
  }

  const graph::Csr& graph_;
  const T* weights_;
  Label none_;
  std::int32_t* before_;
  std::vector<Label> labels_;
  RingQueue<Label> queue_;
};

// Up to k seeds per vertex. A seed that is not among the k nearest of a vertex is not among those of the
// vertices behind it either: the same k are nearer there.
template <class T>
void several(const rows::Arcs<T>& arcs, T ceiling, const std::int32_t* seeds, std::int64_t count,
             std::int64_t k, std::int32_t* nearest, T* lengths, const Control& control) {
  struct Entry {
    SeedLabel<T> label;
    std::int32_t vertex;
    bool operator>(const Entry& other) const noexcept {
      if (label < other.label) return false;
      return other.label < label || vertex > other.vertex;
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<std::int64_t> found(static_cast<std::size_t>(arcs.n()));
  const auto settled = [&](std::int32_t v, std::int32_t seed) {
    return std::find(nearest + v * k, nearest + v * k + found[v], seed) != nearest + v * k + found[v];
  };
  const auto push = [&](std::int32_t v, const SeedLabel<T>& label) {
    if (found[v] < k) queue.push({label, v});
  };
  for (std::int32_t i = 0; i < count; ++i) {
    push(seeds[i], {T{0}, i});
    if (arcs.through(seeds[i]).begin() == arcs.through(seeds[i]).end())  // a zone
      extend(arcs.all(seeds[i]), SeedLabel<T>{T{0}, i}, ceiling, push);
  }
  for (std::int64_t taken = 0; !queue.empty(); ++taken) {
    if ((taken & 0xfff) == 0) control.check();
    const auto [label, v] = queue.top();
    queue.pop();
    if (found[v] == k || settled(v, label.seed())) continue;
    nearest[v * k + found[v]] = label.seed();
    lengths[v * k + found[v]] = static_cast<T>(label.length());
    ++found[v];
    extend(arcs.through(v), label, ceiling, push);
  }
}

}  // namespace

template <class T>
void nearest_seeds(const graph::Csr& graph, const T* weights, const std::int32_t* seeds, std::int64_t count,
                   std::int64_t k, T cutoff, std::int32_t* nearest, T* lengths, std::int32_t* before,
                   Control& control) {
  graph::check_csr(graph);
  graph::check_vertices(seeds, count, graph.n, "seeds");
  const bool zeros = check_weights(weights, graph.m);
  if (k > 1 && before != nullptr) throw std::invalid_argument("paths are those from one seed to each vertex");
  const T ceiling = semiring::just_beyond(cutoff);
  std::fill_n(nearest, graph.n * k, -1);
  std::fill_n(lengths, graph.n * k, semiring::kNoPath<T>);
  if (before != nullptr) std::fill_n(before, graph.n, -1);
  if (k < 1 || !(T{0} < ceiling)) return;
  if (k == 1) {
    Cells<T> cells(graph, weights, ceiling, zeros, before);
    cells.run(seeds, count, control);
    return cells.write(seeds, nearest, lengths);
  }
  const rows::Arcs<T> arcs(graph, weights, nullptr);
  several<T>(arcs, ceiling, seeds, count, k, nearest, lengths, control);
  for (std::int64_t i = 0; i < graph.n * k; ++i)
    if (nearest[i] >= 0) nearest[i] = seeds[nearest[i]];
}

#define APSP_INSTANTIATE(T)                                                                      \
  template void nearest_seeds<T>(const graph::Csr&, const T*, const std::int32_t*, std::int64_t, \
                                 std::int64_t, T, std::int32_t*, T*, std::int32_t*, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
