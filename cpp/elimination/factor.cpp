#include "elimination/factor.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include "elimination/front.hpp"
#include "elimination/schedule.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

template <class T>
class Elimination {
 public:
  Elimination(const TreeView& tree, bool nonnegative, T* values, Team& team, Control& control)
      : tree_(tree),
        fronts_(nonnegative, control),
        values_(values),
        team_(team),
        control_(control),
        rest_(tree.nodes),
        children_(tree) {}

  void assemble(const graph::WeightedArcs& arcs, const bool* zones) {
    constexpr T kNone = semiring::Bounds<T>::kNoPath;
    const std::vector<Vertex> place = places_of(tree_), node = nodes_of(tree_);
    team_.parallel_for(tree_.nodes, [&](std::int64_t s, int) {
      std::fill(values_ + tree_.panel_start[s], values_ + tree_.panel_start[s + 1], kNone);
    });
    constexpr std::int64_t kAtOnce = 1024;
    team_.parallel_for((tree_.n + kAtOnce - 1) / kAtOnce, [&](std::int64_t index, int) {
      control_.check();
      for (std::int64_t v = index * kAtOnce; v < std::min(tree_.n, (index + 1) * kAtOnce); ++v) {
        at(place[v], place[v], node) = T{0};
        if (zones != nullptr && zones[v]) continue;
        T weights[graph::kRunLength];
        for (std::int64_t first = arcs.begin(v); first < arcs.end(v); first += graph::kRunLength) {
          const std::int64_t count = std::min(graph::kRunLength, arcs.end(v) - first);
          graph::check_heads(arcs, first, count);
          graph::read_weights(arcs, semiring::Algebra::kMinPlus, first, count, weights);
          for (std::int64_t arc = 0; arc < count; ++arc) {
            T& entry = at(place[v], place[arcs.indices[first + arc]], node);
            entry = std::min(entry, weights[arc]);
          }
        }
      }
    });
  }

  std::int64_t run() {
    eliminate_all(tree_, kSharedFront, team_, [&](std::int64_t s, Team& team, int) { eliminate(s, team); });
    return bad_.load();
  }

 private:
  T& at(Vertex from, Vertex to, const std::vector<Vertex>& node) {
    return values_[entry_of(tree_, node, from, to)];
  }

  void eliminate(std::int64_t s, Team& team) {
    control_.check();
    if (bad_.load(std::memory_order_relaxed) >= 0) return;
    const std::int64_t k = tree_.columns(s), r = tree_.row_count(s);
    T* out = values_ + tree_.panel_start[s];
    T* in = out + k * (k + r);
    if (r > 0) {
      rest_[s].reset(new T[static_cast<std::size_t>(r * r)]);
      std::fill_n(rest_[s].get(), r * r, semiring::Bounds<T>::kNoPath);
    }
    for (Vertex child = children_.first[s]; child >= 0; child = children_.next[child])
      take(child, {out, in, rest_[s].get(), k, r}, s);
    const std::int64_t bad = fronts_.close(out, in, rest_[s].get(), k, r, team);
    if (bad >= 0) bad_.store(tree_.first[s] + bad);
    control_.advance(k * (k + r) * (k + r));
  }

  void take(Vertex child, const Front<T>& front, std::int64_t s) {
    const std::vector<std::int64_t> to = rows_in_front(tree_, child, s);
    merge_rest(to.data(), tree_.row_count(child), rest_[child].get(), front);
    rest_[child].reset();
  }

  const TreeView& tree_;
  const Fronts<T> fronts_;
  T* values_;
  Team& team_;
  Control& control_;
  std::vector<std::unique_ptr<T[]>> rest_;  // (s) between its rows, (r, r), until its parent takes it
  Children children_;
  std::atomic<std::int64_t> bad_{-1};
};

}  // namespace

template <class T>
std::int64_t factorise(const TreeView& tree, const graph::WeightedArcs& arcs, const bool* zones,
                       bool nonnegative, T* values, Team& team, Control& control) {
  if (arcs.n != tree.n) throw std::invalid_argument("the elimination tree is of a graph of another size");
  Elimination<T> elimination(tree, nonnegative, values, team, control);
  elimination.assemble(arcs, zones);
  return elimination.run();
}

#define APSP_INSTANTIATE(T)                                                                                  \
  template std::int64_t factorise(const TreeView&, const graph::WeightedArcs&, const bool*, bool, T*, Team&, \
                                  Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
