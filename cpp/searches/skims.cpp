#include "searches/skims.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/team.hpp"
#include "searches/heap.hpp"

namespace apsp::searches {
namespace {

// Vertices leave the queue in the order of their tuples, so each leaves it once: an arc whose first cost is 0
// has no cost below 0. (Rounding of floats may let a vertex enter again.)
template <class T>
class TupleSearch {
 public:
  TupleSearch(const graph::Csr& graph, const T* costs, const std::vector<std::uint8_t>& wanted)
      : graph_(graph),
        costs_(costs),
        wanted_(wanted),
        labels_(static_cast<std::size_t>(graph.n), kNone),
        queue_(graph.n, nullptr, Key{}) {}

  // The labels of the targets are final; `targets`: each once.
  void run(std::int32_t source, const std::vector<std::int32_t>& targets, const Control& control) {
    for (const std::int32_t v : touched_) labels_[v] = kNone;
    touched_.clear();
    queue_.clear();
    std::size_t missing = targets.size();
    enter(source, T{0}, missing);
    double last = semiring::Bounds<double>::kNoPath;  // no target is farther, once all are reached
    std::int64_t step = 0;
    for (std::int32_t v = queue_.pop(); v >= 0; v = queue_.pop()) {
      if (step++ % 4096 == 0) control.check();
      if (missing == 0 && labels_[v].at[0] > last) break;
      if (missing == 0 && last == semiring::Bounds<double>::kNoPath) {
        last = 0;
        for (const std::int32_t target : targets) last = std::max(last, labels_[target].at[0]);
      }
      if (v != source && graph_.zones != nullptr && graph_.zones[v]) continue;
      for (std::int64_t arc = graph_.indptr[v]; arc < graph_.indptr[v + 1]; ++arc) {
        const std::int32_t head = graph_.indices[arc];
        if (labels_[v].at[0] + costs_[arc].at[0] > labels_[head].at[0]) continue;
        enter(head, labels_[v] + costs_[arc], missing);
      }
    }
  }

  const T& label(std::int32_t v) const { return labels_[v]; }

 private:
  static constexpr T kNone = semiring::Bounds<T>::kNoPath;
  struct Key {
    double first;
    const T* all;  // the label of the vertex

    friend bool operator<(const Key& a, const Key& b) {
      return a.first != b.first ? a.first < b.first : *a.all < *b.all;
    }
  };

  void enter(std::int32_t v, const T& label, std::size_t& missing) {
    if (!(label < labels_[v])) return;
    if (!(labels_[v] < kNone)) {
      touched_.push_back(v);
      missing -= wanted_[v];
    }
    labels_[v] = label;
    queue_.lower(v, Key{label.at[0], &labels_[v]}, Key{}, false);
  }

  const graph::Csr& graph_;
  const T* costs_;
  const std::vector<std::uint8_t>& wanted_;
  std::vector<T> labels_;
  std::vector<std::int32_t> touched_;
  HeapQueue<Key> queue_;
};

}  // namespace

template <int kSize>
void fill_skims(const graph::Csr& graph, const semiring::Costs<kSize>* costs, const std::int32_t* sources,
                const std::int32_t* targets, const semiring::CostMatrices& out, int threads,
                Control& control) {
  graph::check_csr(graph);
  graph::check_vertices(sources, out.rows, graph.n, "sources");
  graph::check_vertices(targets, out.columns, graph.n, "targets");
  std::vector<std::uint8_t> wanted(static_cast<std::size_t>(graph.n));
  std::vector<std::int32_t> once;
  for (std::int64_t j = 0; j < out.columns; ++j) {
    if (wanted[targets[j]] == 0) once.push_back(targets[j]);
    wanted[targets[j]] = 1;
  }
  using Search = TupleSearch<semiring::Costs<kSize>>;
  Team team(threads);
  std::vector<std::unique_ptr<Search>> searches(static_cast<std::size_t>(team.size()));
  team.parallel_for(out.rows, [&](std::int64_t row, int member) {
    control.check();
    auto& search = searches[static_cast<std::size_t>(member)];
    if (!search) search = std::make_unique<Search>(graph, costs, wanted);
    search->run(sources[row], once, control);
    for (std::int64_t j = 0; j < out.columns; ++j) out.write(row, j, search->label(targets[j]));
    control.advance(1);
  });
}

#define APSP_INSTANTIATE(T)                                                                                  \
  template void fill_skims<T::kCount>(const graph::Csr&, const T*, const std::int32_t*, const std::int32_t*, \
                                      const semiring::CostMatrices&, int, Control&);
APSP_FOR_COSTS(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
