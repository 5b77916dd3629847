#include "searches/cells.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

#include "rows/arcs.hpp"
#include "runtime/dtypes.hpp"
#include "searches/heap.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {
namespace {

// A length, and the seed that it is from: of equal lengths the first seed is the shorter one, so the search
// settles the first of equally near seeds, also along arcs of length zero.
template <class T>
struct Label {
  T length;
  std::int32_t seed;
  bool operator<(const Label& other) const noexcept {
    return length < other.length || (length == other.length && seed < other.seed);
  }
};

// body(head, label) for all arcs in the range that end below the ceiling.
template <class T, class Body>
void extend(const rows::ArcRange<T>& range, const Label<T>& from, T ceiling, const Body& body) {
  for (const rows::Arc<T>& arc : range) {
    const semiring::Sum<T> sum = semiring::add(from.length, arc.weight);
    if (sum < static_cast<semiring::Sum<T>>(ceiling))
      body(arc.head, Label<T>{static_cast<T>(sum), from.seed});
  }
}

template <class T>
class Cells {
 public:
  Cells(const rows::Arcs<T>& arcs, T ceiling)
      : arcs_(arcs), ceiling_(ceiling), labels_(arcs.n()), queue_(arcs.n(), nullptr, {}) {
    std::fill(labels_.begin(), labels_.end(), Label<T>{ceiling, -1});
  }

  // Paths may start at a zone, but not pass through it: the arcs of seeds are relaxed for their own paths.
  void run(const std::int32_t* seeds, std::int64_t count, const Control& control) {
    const auto lower = [&](std::int32_t v, const Label<T>& label) {
      if (!(label < labels_[v])) return;
      labels_[v] = label;
      queue_.lower(v, label, label, false);
    };
    for (std::int32_t i = 0; i < count; ++i) lower(seeds[i], {T{0}, i});
    for (std::int32_t i = 0; i < count; ++i) extend(arcs_.all(seeds[i]), Label<T>{T{0}, i}, ceiling_, lower);
    std::int64_t taken = 0;
    for (std::int32_t v; (v = queue_.pop()) >= 0;) {
      extend(arcs_.through(v), labels_[v], ceiling_, lower);
      if ((++taken & 0xfff) == 0) control.check();
    }
  }

  const std::vector<Label<T>>& labels() const noexcept { return labels_; }

 private:
  const rows::Arcs<T>& arcs_;
  T ceiling_;
  std::vector<Label<T>> labels_;
  HeapQueue<Label<T>> queue_;
};

// Up to k seeds per vertex. A seed that is not among the k nearest of a vertex is not among those of the
// vertices behind it either: the same k are nearer there.
template <class T>
void several(const rows::Arcs<T>& arcs, T ceiling, const std::int32_t* seeds, std::int64_t count,
             std::int64_t k, std::int32_t* nearest, T* lengths, const Control& control) {
  struct Entry {
    Label<T> label;
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
  const auto push = [&](std::int32_t v, const Label<T>& label) {
    if (found[v] < k) queue.push({label, v});
  };
  for (std::int32_t i = 0; i < count; ++i) {
    push(seeds[i], {T{0}, i});
    if (arcs.through(seeds[i]).begin() == arcs.through(seeds[i]).end())  // a zone
      extend(arcs.all(seeds[i]), Label<T>{T{0}, i}, ceiling, push);
  }
  for (std::int64_t taken = 0; !queue.empty(); ++taken) {
    if ((taken & 0xfff) == 0) control.check();
    const auto [label, v] = queue.top();
    queue.pop();
    if (found[v] == k || settled(v, label.seed)) continue;
    nearest[v * k + found[v]] = label.seed;
    lengths[v * k + found[v]] = label.length;
    ++found[v];
    extend(arcs.through(v), label, ceiling, push);
  }
}

}  // namespace

template <class T>
void nearest_seeds(const graph::Csr& graph, const T* weights, const std::int32_t* seeds, std::int64_t count,
                   std::int64_t k, T cutoff, std::int32_t* nearest, T* lengths, Control& control) {
  graph::check_csr(graph);
  graph::check_vertices(seeds, count, graph.n, "seeds");
  const rows::Arcs<T> arcs(graph, weights, nullptr);
  const T ceiling = semiring::just_beyond(cutoff);
  std::fill_n(nearest, graph.n * k, -1);
  std::fill_n(lengths, graph.n * k, semiring::kNoPath<T>);
  if (k < 1 || !(T{0} < ceiling)) return;
  if (k > 1) return several<T>(arcs, ceiling, seeds, count, k, nearest, lengths, control);
  Cells<T> cells(arcs, ceiling);
  cells.run(seeds, count, control);
  for (std::int64_t v = 0; v < graph.n; ++v) {
    const auto& label = cells.labels()[v];
    if (label.seed < 0) continue;
    nearest[v] = label.seed;
    lengths[v] = label.length;
  }
}

#define APSP_INSTANTIATE(T)                                                                      \
  template void nearest_seeds<T>(const graph::Csr&, const T*, const std::int32_t*, std::int64_t, \
                                 std::int64_t, T, std::int32_t*, T*, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
