#include "elimination/peel.hpp"

#include <algorithm>
#include <utility>

#include "runtime/marks.hpp"

namespace apsp::elimination {
namespace {

// Rows of neighbours that only shrink: `count` is the number of valid entries of a row.
class Peeling {
 public:
  explicit Peeling(Neighbours& graph)
      : graph_(graph), count_(graph.n), changed_(graph.n), gone_(graph.n), twin_(graph.other.size()) {
    for (Vertex v = 0; v < graph.n; ++v) {
      count_[v] = graph.degree(v);
      if (count_[v] <= 2) next_.push_back(v);
    }
    std::vector<std::int64_t> cursor(graph.start.begin(), graph.start.end() - 1);
    for (Vertex v = 0; v < graph.n; ++v)
      for (std::int64_t at = graph.start[v]; at < graph.start[v + 1]; ++at)
        twin_[at] = cursor[graph.other[at]]++;  // rows ascend, and so does v
  }

  std::vector<Vertex> run() {
    std::vector<Vertex> order, now;
    while (!next_.empty()) {
      changed_.clear();
      now.swap(next_);
      next_.clear();
      for (const Vertex v : now) {
        if (gone_[v]) continue;
        if (changed_.has(v)) {
          next_.push_back(v);
        } else {
          take(v);
          order.push_back(v);
        }
      }
    }
    return order;
  }

  // The rows of the remaining vertices, renumbered.
  Neighbours rest(std::vector<Vertex>& names) const {
    std::vector<Vertex> number(graph_.n, -1);
    for (Vertex v = 0; v < graph_.n; ++v) {
      if (gone_[v]) continue;
      number[v] = static_cast<Vertex>(names.size());
      names.push_back(v);
    }
    Neighbours core;
    core.n = static_cast<std::int64_t>(names.size());
    core.start.push_back(0);
    for (const Vertex v : names) {
      for (std::int64_t i = 0; i < count_[v]; ++i) core.other.push_back(number[graph_.begin(v)[i]]);
      std::sort(core.other.begin() + core.start.back(), core.other.end());
      core.start.push_back(static_cast<std::int64_t>(core.other.size()));
    }
    return core;
  }

 private:
  void take(Vertex v) {
    gone_[v] = true;
    const std::int64_t first = graph_.start[v];
    if (count_[v] == 1) drop(graph_.other[first], twin_[first]);
    if (count_[v] != 2) return;
    const Vertex one = graph_.other[first], other = graph_.other[first + 1];
    const std::int64_t in_one = twin_[first], in_other = twin_[first + 1];
    if (joined(one, other)) {
      drop(one, in_one);
      drop(other, in_other);
    } else {
      graph_.other[in_one] = other;
      graph_.other[in_other] = one;
      twin_[in_one] = in_other;
      twin_[in_other] = in_one;
      changed_.add(one), changed_.add(other);
    }
  }

  bool joined(Vertex one, Vertex other) const {
    if (count_[other] < count_[one]) std::swap(one, other);
    const Vertex* row = graph_.begin(one);
    return std::find(row, row + count_[one], other) != row + count_[one];
  }

  // Removes the entry at `at` from the row of v; the last one moves there.
  void drop(Vertex v, std::int64_t at) {
    const std::int64_t last = graph_.start[v] + --count_[v];
    graph_.other[at] = graph_.other[last];
    twin_[at] = twin_[last];
    twin_[twin_[at]] = at;
    changed_.add(v);
    if (count_[v] <= 2) next_.push_back(v);
  }

  Neighbours& graph_;
  std::vector<std::int64_t> count_;
  Marks changed_;  // a neighbour was removed in this round
  std::vector<bool> gone_;
  std::vector<std::int64_t> twin_;  // for each entry, its position in the row of its other end
  std::vector<Vertex> next_;
};

}  // namespace

Peeled peel(Neighbours graph) {
  Peeled found;
  Peeling peeling(graph);
  found.order = peeling.run();
  found.core = peeling.rest(found.names);
  return found;
}

}  // namespace apsp::elimination
