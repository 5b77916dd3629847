#include "elimination/refactor.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <type_traits>

#include "elimination/factor.hpp"
#include "elimination/front.hpp"
#include "elimination/schedule.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

template <class T>
class Change {
 public:
  Change(const TreeView& tree, const Occurrences& where, const graph::WeightedArcs& arcs, const bool* zones,
         bool nonnegative, double most, T* assembled, T* values, Control& control)
      : tree_(tree),
        where_(where),
        arcs_(arcs),
        zones_(zones),
        fronts_(nonnegative, control),
        most_(most),
        assembled_(assembled),
        values_(values),
        control_(control) {}

  std::int64_t run(const std::vector<Arc>& changed) {
    for (const Arc& arc : changed)
      if (zones_ == nullptr || !zones_[arc.tail]) mark(where_.place[arc.tail], where_.place[arc.head]);
    while (!marked_.empty()) {
      control_.check();
      const auto first = marked_.begin();
      const Vertex s = first->first;
      const std::vector<Entry> entries = std::move(first->second);
      marked_.erase(first);
      if (!assemble(entries)) continue;
      const std::int64_t bad = close(s);
      if (bad >= 0) return tree_.first[s] + bad;
      if (work_ > most_) return kTooMany;
    }
    return -1;
  }

 private:
  static constexpr T kNone = semiring::Bounds<T>::kNoPath, kLimit = semiring::Bounds<T>::kLimit;

  struct Entry {
    Vertex from, to;  // places
    bool operator<(const Entry& other) const {
      return from != other.from ? from < other.from : to < other.to;
    }
    bool operator==(const Entry& other) const { return from == other.from && to == other.to; }
  };

  void mark(Vertex from, Vertex to) { marked_[where_.node[std::min(from, to)]].push_back({from, to}); }

  // Computes entries of assembled panels again; whether one has changed.
  bool assemble(std::vector<Entry> entries) {
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    bool has_changed = false;
    for (const Entry& entry : entries) {
      T& value = assembled_[entry_of(tree_, where_.node, entry.from, entry.to)];
      const T now = std::min(arc_of(entry), from_below(entry));
      has_changed |= !same(now, value);
      value = now;
    }
    return has_changed;
  }

  // No path has several values where weights are negative.
  static bool same(T a, T b) { return a == b || (a >= kLimit && b >= kLimit); }
  static T sum(T a, T b) {
    if (a >= kLimit || b >= kLimit) return kNone;
    if constexpr (std::is_same_v<T, std::uint16_t>)
      return static_cast<T>(std::min<std::uint32_t>(std::uint32_t{a} + b, kNone));
    else
      return static_cast<T>(a + b);
  }

  T arc_of(const Entry& entry) {
    const Vertex tail = tree_.order[entry.from], head = tree_.order[entry.to];
    T least = tail == head ? T{0} : kNone;
    if (zones_ != nullptr && zones_[tail]) return least;
    const std::int32_t* end = arcs_.indices + arcs_.end(tail);
    for (const std::int32_t* at = std::find(arcs_.indices + arcs_.begin(tail), end, head); at != end;
         at = std::find(at + 1, end, head)) {
      T weight;
      graph::read_weights(arcs_, semiring::Algebra::kMinPlus, at - arcs_.indices, 1, &weight);
      least = std::min(least, weight);
    }
    return least;
  }

  T from_below(const Entry& entry) {
    const Vertex low = std::min(entry.from, entry.to), high = std::max(entry.from, entry.to);
    T least = kNone;
    for (std::int64_t i = where_.begin[low]; i < where_.begin[low + 1]; ++i) {
      const auto [d, number] = where_.rows[i];
      const Vertex *rows = tree_.rows_of(d), *end = rows + tree_.row_count(d);
      const Vertex* other = std::lower_bound(rows + number, end, high);
      work_ += 4;
      if (other == end || *other != high) continue;
      const std::int64_t at = other - rows;
      const Panels<T> panels = panels_of(tree_, values_, d);
      least = std::min(least, low == entry.from ? through(panels, number, at) : through(panels, at, number));
    }
    return least;
  }

  // The least path between two rows of a panel through its columns.
  T through(const Panels<T>& panels, std::int64_t from, std::int64_t to) {
    const T *in = panels.in + from * panels.k, *out = panels.out + panels.k + to;
    work_ += static_cast<double>(panels.k);
    T least = kNone;
    for (std::int64_t c = 0; c < panels.k; ++c)
      least = std::min(least, sum(in[c], out[c * (panels.k + panels.r)]));
    return least;
  }

  // Closes the panel of s again, and marks the entries above that its changed paths may change.
  std::int64_t close(Vertex s) {
    const std::int64_t k = tree_.columns(s), r = tree_.row_count(s), width = k + r;
    T* out = values_ + tree_.panel_start[s];
    const std::vector<T> before(out, values_ + tree_.panel_start[s + 1]);
    std::copy(assembled_ + tree_.panel_start[s], assembled_ + tree_.panel_start[s + 1], out);
    Team alone(1);
    const std::int64_t bad = fronts_.close(out, out + k * width, nullptr, k, r, alone);
    work_ += static_cast<double>(k * k * (k + 2 * r));
    if (bad >= 0 || r == 0) return bad;
    const Panels<T> now = panels_of(tree_, values_, s), old{before.data(), before.data() + k * width, k, r};
    std::vector<bool> leaves(static_cast<std::size_t>(r)), enters(static_cast<std::size_t>(r));
    for (std::int64_t h = 0; h < r; ++h)
      for (std::int64_t c = 0; c < k; ++c) {
        if (!same(now.in[h * k + c], old.in[h * k + c])) leaves[h] = true;
        if (!same(now.out[c * width + k + h], old.out[c * width + k + h])) enters[h] = true;
      }
    const Vertex* rows = tree_.rows_of(s);
    for (std::int64_t from = 0; from < r; ++from)
      for (std::int64_t to = 0; to < r; ++to) {
        if (!leaves[from] && !enters[to]) continue;
        const T was = through(old, from, to), is = through(now, from, to);
        if (same(was, is)) continue;
        const T least = assembled_[entry_of(tree_, where_.node, rows[from], rows[to])];
        if (is < least || was <= least || std::is_floating_point_v<T>) mark(rows[from], rows[to]);
      }
    return -1;
  }

  const TreeView& tree_;
  const Occurrences& where_;
  const graph::WeightedArcs& arcs_;
  const bool* zones_;
  const Fronts<T> fronts_;
  double most_, work_ = 0;
  T *assembled_, *values_;
  Control& control_;
  std::map<Vertex, std::vector<Entry>> marked_;  // of supernodes, from the leaves to the root
};

}  // namespace

Occurrences::Occurrences(const TreeView& tree)
    : place(places_of(tree)),
      node(nodes_of(tree)),
      begin(static_cast<std::size_t>(tree.n + 1)),
      rows(static_cast<std::size_t>(tree.row_start[tree.nodes])) {
  for (std::size_t i = 0; i < rows.size(); ++i) ++begin[tree.rows[i] + 1];
  for (std::int64_t p = 0; p < tree.n; ++p) begin[p + 1] += begin[p];
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  for (std::int64_t s = 0; s < tree.nodes; ++s)
    for (std::int64_t h = 0; h < tree.row_count(s); ++h)
      rows[next[tree.rows_of(s)[h]]++] = {static_cast<Vertex>(s), static_cast<Vertex>(h)};
}

template <class T>
std::int64_t refactorise(const TreeView& tree, const Occurrences& where, const graph::WeightedArcs& arcs,
                         const bool* zones, bool nonnegative, const std::vector<Arc>& changed, double most,
                         T* assembled, T* values, Control& control) {
  if (arcs.n != tree.n || static_cast<std::int64_t>(where.place.size()) != tree.n)
    throw std::invalid_argument("the elimination tree is of a graph of another size");
  return Change<T>(tree, where, arcs, zones, nonnegative, most, assembled, values, control).run(changed);
}

#define APSP_INSTANTIATE(T)                                                                          \
  template std::int64_t refactorise(const TreeView&, const Occurrences&, const graph::WeightedArcs&, \
                                    const bool*, bool, const std::vector<Arc>&, double, T*, T*, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
