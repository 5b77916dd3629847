#include "elimination/steps.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "elimination/explained.hpp"
#include "elimination/schedule.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

// A supernode below, and the first of its rows that is a column of this one.
struct Below {
  Vertex node;
  Vertex row;
};

// The supernodes with rows among the columns of each supernode, in ascending order: those of s are start[s]
// .. start[s + 1] - 1.
struct BelowLists {
  std::vector<std::int64_t> start;
  std::vector<Below> list;

  BelowLists(const TreeView& tree, const std::vector<Vertex>& node)
      : start(static_cast<std::size_t>(tree.nodes) + 1) {
    for_all(tree, node, [&](Vertex above, Below) { ++start[above + 1]; });
    for (std::int64_t s = 0; s < tree.nodes; ++s) start[s + 1] += start[s];
    list.resize(static_cast<std::size_t>(start[tree.nodes]));
    std::vector<std::int64_t> next(start.begin(), start.end() - 1);
    for_all(tree, node, [&](Vertex above, Below below) { list[next[above]++] = below; });
  }

 private:
  template <class Body>
  static void for_all(const TreeView& tree, const std::vector<Vertex>& node, const Body& body) {
    for (std::int64_t s = 0; s < tree.nodes; ++s) {
      const Vertex* rows = tree.rows_of(s);
      for (std::int64_t h = 0; h < tree.row_count(s); ++h)
        if (h == 0 || node[rows[h]] != node[rows[h - 1]])
          body(node[rows[h]], {static_cast<Vertex>(s), static_cast<Vertex>(h)});
    }
  }
};

template <class T>
class Explanation {
 public:
  using Sum = typename Rules<T>::Sum;

  Explanation(const Factored<T>& factored, const BelowLists& below, Step* steps)
      : rules_(factored.nonnegative),
        factored_(factored),
        tree_(factored.tree),
        below_(below),
        steps_(steps) {}

  void run(std::int64_t s, const Control& control) {
    front_ = panels_of(tree_, factored_.values, s);
    start_ = tree_.panel_start[s];
    wanted_.resize(static_cast<std::size_t>(front_.k + front_.r));
    position_.resize(wanted_.size());
    if (factored_.nonnegative) by_own_columns<kShorterHalves>();
    for (std::int64_t i = below_.start[s + 1]; i-- > below_.start[s];) {
      if (i % 64 == 0) control.check();
      by_columns_below(s, below_.list[i]);
    }
    do control.check();
    while (by_own_columns<kAnyHalves>());
  }

 private:
  static constexpr Sum kNotWanted =
      std::is_floating_point_v<T> ? std::numeric_limits<Sum>::quiet_NaN() : std::numeric_limits<Sum>::min();

  bool open(std::int64_t entry) const {
    return steps_[entry].first == Step::kUnknown && rules_.is_path(factored_.values[entry]);
  }

  // Whether some of `count` values of a panel lead to a wanted one: few do.
  static bool any_equal(Sum value, const T* step, const Sum* wanted, std::int64_t count) {
    int found = 0;
    for (std::int64_t j = 0; j < count; ++j)
      found |= Rules<T>::equal(value, static_cast<Sum>(step[j]), wanted[j]);
    return found != 0;
  }

  // The values of the entries that are open, (count); entry(j) is the j-th one, `own` the one from a vertex
  // to itself or -1.
  template <class Entry>
  bool want(std::int64_t count, std::int64_t own, const Entry& entry) {
    bool any = false;
    for (std::int64_t j = 0; j < count; ++j) {
      const std::int64_t e = entry(j);
      const bool is_open = j != own && open(e);
      wanted_[j] = is_open ? static_cast<Sum>(factored_.values[e]) : kNotWanted;
      any |= is_open;
    }
    return any;
  }

  void by_columns_below(std::int64_t s, Below below) {
    const Panels<T> panels = panels_of(tree_, factored_.values, below.node);
    const std::int64_t start = tree_.panel_start[below.node], into = start + panels.k * (panels.k + panels.r);
    const Vertex* rows = tree_.rows_of(below.node);
    const std::int64_t first = below.row, count = panels.r - first;
    std::int64_t inner = 0;  // rows that are columns of s
    const Vertex* own = tree_.rows_of(s);
    for (std::int64_t j = 0, at = 0; j < count; ++j) {
      const Vertex place = rows[first + j];
      if (place < tree_.first[s + 1]) {
        position_[j] = place - tree_.first[s];
        ++inner;
      } else {
        while (own[at] != place) ++at;
        position_[j] = front_.k + at;
      }
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t some = i < inner ? count : inner;  // the entries from this row that s holds
      const auto entry = [&](std::int64_t j) {
        return i < inner ? start_ + position_[i] * (front_.k + front_.r) + position_[j]
                         : start_ + front_.k * (front_.k + front_.r) + (position_[i] - front_.k) * front_.k +
                               position_[j];
      };
      if (!want(some, i, entry)) continue;
      for (std::int64_t c = 0; c < panels.k; ++c) {
        const T value = panels.in[(first + i) * panels.k + c];
        const std::int64_t line = c * (panels.k + panels.r) + panels.k + first;
        if (!rules_.is_path(value) || !any_equal(value, panels.out + line, wanted_.data(), some)) continue;
        for (std::int64_t j = 0; j < some; ++j) {
          if (!Rules<T>::equal(value, panels.out[line + j], wanted_[j])) continue;
          set(entry(j), into + (first + i) * panels.k + c, start + line + j);
          wanted_[j] = kNotWanted;
        }
      }
    }
  }

  enum Halves : std::uint8_t { kShorterHalves, kAnyHalves };

  // Returns whether another round may explain more.
  template <Halves kHalves>
  bool by_own_columns() {
    const std::int64_t width = front_.k + front_.r;
    bool changed = false, left = false;
    for (std::int64_t u = 0; u < width; ++u) {
      const bool is_column = u < front_.k;
      const std::int64_t from =
          start_ + (is_column ? u * width : front_.k * width + (u - front_.k) * front_.k);
      const std::int64_t count = is_column ? width : front_.k;
      if (!want(count, is_column ? u : -1, [&](std::int64_t j) { return from + j; })) continue;
      for (std::int64_t m = 0; m < front_.k; ++m) {
        const T value = factored_.values[from + m];
        if (m == u || !rules_.is_path(value)) continue;
        if (kHalves == kAnyHalves && steps_[from + m].first == Step::kUnknown) continue;
        const Sum direct = wanted_[m];
        wanted_[m] = kNotWanted;
        if (any_equal(value, front_.out + m * width, wanted_.data(), count)) {
          for (std::int64_t j = 0; j < count; ++j) {
            const std::int64_t second = start_ + m * width + j;
            if (!Rules<T>::equal(value, factored_.values[second], wanted_[j])) continue;
            if (!allowed<kHalves>(value, second, wanted_[j])) continue;
            set(from + j, from + m, second);
            wanted_[j] = kNotWanted;
            changed = true;
          }
        }
        wanted_[m] = direct;
      }
      for (std::int64_t j = 0; j < count && !left; ++j) left = j != u && open(from + j);
    }
    return changed && left;
  }

  template <Halves kHalves>
  bool allowed(Sum first, std::int64_t second, Sum whole) const {
    const Sum value = factored_.values[second];
    return kHalves == kShorterHalves
               ? Rules<T>::shorter(first, value, whole)
               : steps_[second].first != Step::kUnknown && rules_.no_longer(first, value, whole);
  }

  void set(std::int64_t entry, std::int64_t first, std::int64_t second) {
    steps_[entry] = {static_cast<std::int32_t>(first), static_cast<std::int32_t>(second)};
  }

  const Rules<T> rules_;
  const Factored<T>& factored_;
  const TreeView& tree_;
  const BelowLists& below_;
  Step* steps_;
  Panels<T> front_{};
  std::int64_t start_ = 0;
  std::vector<Sum> wanted_;
  std::vector<std::int64_t> position_;
};

// Entries that are as long as an arc.
template <class T>
void take_arcs(const Factored<T>& factored, const std::vector<Vertex>& place, const std::vector<Vertex>& node,
               Step* steps, Team& team, const Control& control) {
  const TreeView& tree = factored.tree;
  const graph::WeightedArcs& arcs = factored.arcs;
  constexpr std::int64_t kAtOnce = 1024;
  team.parallel_for((tree.n + kAtOnce - 1) / kAtOnce, [&](std::int64_t index, int) {
    control.check();
    for (std::int64_t v = index * kAtOnce; v < std::min(tree.n, (index + 1) * kAtOnce); ++v) {
      if (factored.zones != nullptr && factored.zones[v]) continue;
      T weights[graph::kRunLength];
      for (std::int64_t first = arcs.begin(v); first < arcs.end(v); first += graph::kRunLength) {
        const std::int64_t count = std::min(graph::kRunLength, arcs.end(v) - first);
        graph::check_heads(arcs, first, count);
        graph::read_weights(arcs, semiring::Algebra::kMinPlus, first, count, weights);
        for (std::int64_t arc = 0; arc < count; ++arc) {
          const Vertex head = arcs.indices[first + arc];
          if (head == v || !(weights[arc] < semiring::Bounds<T>::kNoPath)) continue;
          const std::int64_t entry = entry_of(tree, node, place[v], place[head]);
          if (factored.values[entry] == weights[arc]) steps[entry] = {Step::kArc, head};
        }
      }
    }
  });
}

}  // namespace

template <class T>
void explain(const Factored<T>& factored, Step* steps, Team& team, Control& control) {
  const TreeView& tree = factored.tree;
  if (tree.entries() > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("the factor has too many entries");
  const std::vector<Vertex> place = places_of(tree), node = nodes_of(tree);
  std::fill_n(steps, tree.entries(), Step{Step::kUnknown, Step::kUnknown});
  take_arcs(factored, place, node, steps, team, control);
  const BelowLists below(tree, node);
  std::vector<Explanation<T>> members(static_cast<std::size_t>(team.size()),
                                      Explanation<T>(factored, below, steps));
  // The last supernodes are the largest.
  team.parallel_for(tree.nodes, [&](std::int64_t index, int member) {
    members[static_cast<std::size_t>(member)].run(tree.nodes - 1 - index, control);
  });
}

void count_arcs(const Step* steps, std::int64_t entries, std::int64_t n, std::int32_t* arcs,
                Control& control) {
  constexpr std::int32_t kOpen = -1;
  std::fill_n(arcs, entries, kOpen);
  std::vector<std::int32_t> stack;
  for (std::int64_t entry = 0; entry < entries; ++entry) {
    if (entry % 65536 == 0) control.check();
    stack.push_back(static_cast<std::int32_t>(entry));
    while (!stack.empty()) {
      const std::int32_t e = stack.back();
      const Step step = steps[e];
      if (arcs[e] == kOpen && step.first >= 0) {
        const std::int32_t first = arcs[step.first], second = arcs[step.second];
        if (first == kOpen) stack.push_back(step.first);
        if (second == kOpen) stack.push_back(step.second);
        if (first == kOpen || second == kOpen) continue;
        const std::int64_t sum = std::int64_t{first} + second;
        arcs[e] = first == 0 || second == 0 || sum >= n ? 0 : static_cast<std::int32_t>(sum);
      } else if (arcs[e] == kOpen) {
        arcs[e] = step.first == Step::kArc ? 1 : 0;
      }
      stack.pop_back();
    }
  }
}

#define APSP_INSTANTIATE(T) template void explain(const Factored<T>&, Step*, Team&, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
