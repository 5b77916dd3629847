#include "flows/zero_arcs.hpp"

#include <algorithm>

#include "graph/strong.hpp"

namespace apsp::flows {

template <class T>
ZeroArcs::ZeroArcs(const graph::Csr& graph, const T* weights, const Control& control) {
  std::vector<std::int64_t> start(graph.n + 1, 0);
  std::vector<std::int32_t> heads;
  for (std::int64_t v = 0; v < graph.n; ++v) {
    if (!graph.is_zone(v))  // no path passes it
      for (std::int64_t a = graph.indptr[v]; a < graph.indptr[v + 1]; ++a)
        if (weights[a] == T{0} && graph.indices[a] != v) heads.push_back(graph.indices[a]);
    start[v + 1] = static_cast<std::int64_t>(heads.size());
  }
  if (heads.empty()) return;
  ranks_.resize(graph.n);
  const std::int64_t count = graph::strong(graph.n, start.data(), heads.data(), ranks_.data(), control);
  std::vector<std::int32_t> sizes(count, 0);
  for (std::int32_t& rank : ranks_) {
    rank = static_cast<std::int32_t>(count - 1 - rank);  // tails come first
    ++sizes[rank];
  }
  find_trees(graph.n, start, heads, sizes);
}

void ZeroArcs::find_trees(std::int64_t n, const std::vector<std::int64_t>& start,
                          const std::vector<std::int32_t>& heads, const std::vector<std::int32_t>& sizes) {
  std::vector<std::int64_t> arcs(sizes.size(), 0);
  std::vector<std::uint8_t> paired(sizes.size(), 1);
  const auto inside = [&](std::int64_t v, auto&& visit) {
    for (std::int64_t a = start[v]; a < start[v + 1]; ++a)
      if (ranks_[heads[a]] == ranks_[v]) visit(heads[a]);
  };
  for (std::int64_t v = 0; v < n; ++v)
    inside(v, [&](std::int32_t head) {
      ++arcs[ranks_[v]];
      const auto row = heads.begin() + start[head];
      if (!std::binary_search(row, heads.begin() + start[head + 1], static_cast<std::int32_t>(v)))
        paired[ranks_[v]] = 0;
    });
  kinds_.assign(n, Kind::kNone);
  for (std::int64_t v = 0; v < n; ++v) {
    const std::int32_t rank = ranks_[v];
    if (sizes[rank] > 1)
      kinds_[v] =
          paired[rank] != 0 && arcs[rank] == 2 * (sizes[rank] - std::int64_t{1}) ? Kind::kTree : Kind::kCycle;
  }
  parents_.assign(n, -1);
  places_.assign(n, -1);
  std::int32_t next = 0;
  std::vector<std::int32_t> waiting;
  for (std::int64_t root = 0; root < n; ++root) {
    if (kinds_[root] != Kind::kTree || places_[root] >= 0) continue;
    waiting.push_back(static_cast<std::int32_t>(root));
    while (!waiting.empty()) {
      const std::int32_t v = waiting.back();
      waiting.pop_back();
      places_[v] = next++;
      inside(v, [&](std::int32_t head) {
        if (head == parents_[v]) return;
        parents_[head] = v;
        waiting.push_back(head);
      });
    }
  }
}

template ZeroArcs::ZeroArcs(const graph::Csr&, const std::int32_t*, const Control&);
template ZeroArcs::ZeroArcs(const graph::Csr&, const std::int64_t*, const Control&);
template ZeroArcs::ZeroArcs(const graph::Csr&, const double*, const Control&);

}  // namespace apsp::flows
