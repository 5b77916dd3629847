#include "elimination/period_factors.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "elimination/kernels.hpp"
#include "elimination/schedule.hpp"
#include "semiring/algebra.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kSharedFront = 64;  // from which on all threads work on one front
constexpr std::int64_t kShare = 16;        // rows or columns of a front that a thread takes at a time
constexpr std::int64_t kPivots = 8;        // columns that are closed at a time
constexpr std::int64_t kWritten = 1024;    // entries of a panel that a thread writes at a time

// Where the weights of the arcs belong: the arcs of each supernode, and their entries in its panel.
class ArcEntries {
 public:
  struct Entry {
    std::int64_t arc, entry;
  };

  ArcEntries(const TreeView& tree, const graph::WeightedArcs& arcs, const bool* zones, Team& team,
             Control& control)
      : begin_(static_cast<std::size_t>(tree.nodes + 1)) {
    const std::vector<Vertex> place = places_of(tree), node = nodes_of(tree);
    const std::int64_t m = arcs.end(tree.n - 1);
    std::vector<Vertex> owner(static_cast<std::size_t>(m), -1);
    std::vector<std::int64_t> entry(static_cast<std::size_t>(m));
    team.parallel_for((tree.n + kAtOnce - 1) / kAtOnce, [&](std::int64_t index, int) {
      control.check();
      for (std::int64_t v = index * kAtOnce; v < std::min(tree.n, (index + 1) * kAtOnce); ++v) {
        if (zones != nullptr && zones[v]) continue;
        graph::check_heads(arcs, arcs.begin(v), arcs.end(v) - arcs.begin(v));
        for (std::int64_t arc = arcs.begin(v); arc < arcs.end(v); ++arc) {
          const Vertex from = place[v], to = place[arcs.indices[arc]];
          owner[arc] = node[std::min(from, to)];
          entry[arc] = entry_of(tree, node, from, to) - tree.panel_start[owner[arc]];
        }
      }
    });
    for (const Vertex s : owner)
      if (s >= 0) ++begin_[s + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    entries_.resize(static_cast<std::size_t>(begin_.back()));
    std::vector<std::int64_t> next(begin_.begin(), begin_.end() - 1);
    for (std::int64_t arc = 0; arc < m; ++arc)
      if (owner[arc] >= 0) entries_[next[owner[arc]]++] = {arc, entry[arc]};
  }

  const Entry* begin(std::int64_t s) const { return entries_.data() + begin_[s]; }
  const Entry* end(std::int64_t s) const { return entries_.data() + begin_[s + 1]; }

 private:
  static constexpr std::int64_t kAtOnce = 1024;
  std::vector<std::int64_t> begin_;
  std::vector<Entry> entries_;
};

template <class T>
class Lanes {
 public:
  static constexpr std::int64_t kLanes = 64 / sizeof(T);  // a cache line, and a multiple of every vector

  Lanes(const TreeView& tree, const ArcEntries& arcs, T* values, std::int64_t stride, Team& team,
        Control& control)
      : tree_(tree),
        arcs_(arcs),
        kernels_(kernels<T>(true)),
        values_(values),
        stride_(stride),
        team_(team),
        control_(control),
        children_(tree),
        rest_(tree.nodes),
        panels_(static_cast<std::size_t>(team.size())),
        numbers_(kWritten) {
    std::iota(numbers_.begin(), numbers_.end(), Vertex{0});
    std::int64_t longest = 0;
    for (std::int64_t s = 0; s < tree.nodes; ++s)
      longest = std::max(longest, tree.panel_start[s + 1] - tree.panel_start[s]);
    for (auto& panel : panels_) panel.reset(new T[static_cast<std::size_t>(longest * kLanes)]);
  }

  // The factors of periods first .. first + used - 1; weights: (m, kLanes).
  void run(std::int64_t first, std::int64_t used, const T* weights) {
    first_ = first, used_ = used, weights_ = weights;
    eliminate_all(tree_, kSharedFront, team_,
                  [&](std::int64_t s, Team& team, int member) { eliminate(s, team, panels_[member].get()); });
  }

 private:
  static constexpr T kNone = semiring::Bounds<T>::kNoPath;
  using Matrix = LineMatrix<T>;

  void eliminate(std::int64_t s, Team& team, T* panel) {
    control_.check();
    const std::int64_t k = tree_.columns(s), r = tree_.row_count(s), width = k + r;
    T* in = panel + k * width * kLanes;
    std::fill_n(panel, k * (width + r) * kLanes, kNone);
    if (r > 0) {
      rest_[s].reset(new T[static_cast<std::size_t>(r * r * kLanes)]);
      std::fill_n(rest_[s].get(), r * r * kLanes, kNone);
    }
    for (const auto* arc = arcs_.begin(s); arc != arcs_.end(s); ++arc)
      kernels_.merge(panel, &arc->entry, weights_ + arc->arc * kLanes, 1, kLanes);
    for (std::int64_t c = 0; c < k; ++c) std::fill_n(panel + (c * width + c) * kLanes, kLanes, T{0});
    for (Vertex child = children_.first[s]; child >= 0; child = children_.next[child])
      take(child, panel, in, rest_[s].get(), s);
    close(panel, in, rest_[s].get(), k, r, team);
    write(s, panel, team);
    control_.advance(used_ * k * width * width);
  }

  // Adds the update of the child for its rows to the front of s.
  void take(Vertex child, T* out, T* in, T* rest, std::int64_t s) {
    const std::int64_t k = tree_.columns(s), r = tree_.row_count(s), count = tree_.row_count(child);
    const std::vector<std::int64_t> to = rows_in_front(tree_, child, s);
    const std::int64_t inner = std::lower_bound(to.begin(), to.end(), k) - to.begin();
    const T* from = rest_[child].get();
    for (std::int64_t i = 0; i < count; ++i, from += count * kLanes) {
      if (i < inner) {
        kernels_.merge(out + to[i] * (k + r) * kLanes, to.data(), from, count, kLanes);
      } else {
        kernels_.merge(in + (to[i] - k) * k * kLanes, to.data(), from, inner, kLanes);
        kernels_.merge(rest + ((to[i] - k) * r - k) * kLanes, to.data() + inner, from + inner * kLanes,
                       count - inner, kLanes);
      }
    }
    rest_[child].reset();
  }

  void close(T* out, T* in, T* rest, std::int64_t k, std::int64_t r, Team& team) {
    const std::int64_t width = k + r;
    const Matrix own{out, k, k, width};
    close_columns(own);
    if (r == 0) return;
    const auto shares = [&](const auto& body) {
      team.parallel_for((r + kShare - 1) / kShare, [&](std::int64_t index, int) {
        control_.check();
        body(index * kShare, std::min(kShare, r - index * kShare));
      });
    };
    shares([&](std::int64_t first, std::int64_t count) {
      const Matrix leaving{out + (k + first) * kLanes, k, count, width};
      kernels_.multiply(leaving, own, leaving, kLanes);
      const Matrix entering{in + first * k * kLanes, count, k, k};
      kernels_.multiply(entering, entering, own, kLanes);
    });
    shares([&](std::int64_t first, std::int64_t count) {
      kernels_.multiply({rest + first * r * kLanes, count, r, r}, {in + first * k * kLanes, count, k, k},
                        {out + k * kLanes, k, r, width}, kLanes);
    });
  }

  // Floyd-Warshall, kPivots columns at a time: among themselves, to all columns, from all, then between all.
  void close_columns(const Matrix& own) {
    const std::int64_t k = own.columns, width = own.stride;
    for (std::int64_t first = 0; first < k; first += kPivots) {
      const std::int64_t count = std::min(kPivots, k - first);
      const Matrix rows{own.data + first * width * kLanes, count, k, width};
      const Matrix columns{own.data + first * kLanes, k, count, width};
      const Matrix among{rows.data + first * kLanes, count, count, width};
      for (std::int64_t p = 0; p < count; ++p)
        kernels_.multiply(among, {among.data + p * kLanes, count, 1, width},
                          {among.data + p * width * kLanes, 1, count, width}, kLanes);
      if (count == k) return;
      kernels_.multiply(rows, among, rows, kLanes);
      kernels_.multiply(columns, columns, among, kLanes);
      kernels_.multiply(own, columns, rows, kLanes);
    }
  }

  void write(std::int64_t s, const T* panel, Team& team) {
    const std::int64_t start = tree_.panel_start[s], entries = tree_.panel_start[s + 1] - start;
    team.parallel_for((entries + kWritten - 1) / kWritten, [&](std::int64_t index, int) {
      const std::int64_t first = index * kWritten;
      T* out[kLanes];
      for (std::int64_t q = 0; q < used_; ++q) out[q] = values_ + (first_ + q) * stride_ + start + first;
      kernels_.read_off(panel + first * kLanes, kLanes, used_, numbers_.data(),
                        std::min(kWritten, entries - first), kNone, kNone, out);
    });
  }

  const TreeView& tree_;
  const ArcEntries& arcs_;
  const Kernels<T>& kernels_;
  T* values_;
  std::int64_t stride_;
  Team& team_;
  Control& control_;
  Children children_;
  std::vector<std::unique_ptr<T[]>> rest_;    // (s) between its rows, (r, r) lines, until its parent takes it
  std::vector<std::unique_ptr<T[]>> panels_;  // of each thread
  std::vector<Vertex> numbers_;               // 0, 1, 2, ...
  std::int64_t first_ = 0, used_ = 0;
  const T* weights_ = nullptr;
};

// Weights of some periods in lines of arcs; "no path" in lanes without a period.
template <class T>
void read_lines(const graph::WeightedArcs* periods, std::int64_t used, std::int64_t m, T* lines, Team& team,
                Control& control) {
  constexpr std::int64_t kLanes = Lanes<T>::kLanes, kAtOnce = graph::kRunLength;
  team.parallel_for((m + kAtOnce - 1) / kAtOnce, [&](std::int64_t index, int) {
    control.check();
    const std::int64_t first = index * kAtOnce, count = std::min(kAtOnce, m - first);
    T weights[kAtOnce];
    for (std::int64_t q = 0; q < kLanes; ++q) {
      if (q < used)
        graph::read_weights(periods[q], semiring::Algebra::kMinPlus, first, count, weights);
      else
        std::fill_n(weights, count, semiring::Bounds<T>::kNoPath);
      for (std::int64_t i = 0; i < count; ++i) lines[(first + i) * kLanes + q] = weights[i];
    }
  });
}

}  // namespace

template <class T>
void factorise_periods(const TreeView& tree, const std::vector<graph::WeightedArcs>& periods,
                       const bool* zones, T* values, std::int64_t stride, Team& team, Control& control) {
  for (const graph::WeightedArcs& arcs : periods)
    if (arcs.n != tree.n) throw std::invalid_argument("the elimination tree is of a graph of another size");
  if (periods.empty() || tree.n == 0) return;
  constexpr std::int64_t kLanes = Lanes<T>::kLanes;
  const auto count = static_cast<std::int64_t>(periods.size());
  const std::int64_t m = periods[0].end(tree.n - 1);
  const ArcEntries arcs(tree, periods[0], zones, team, control);
  Lanes<T> lanes(tree, arcs, values, stride, team, control);
  const std::unique_ptr<T[]> weights(new T[static_cast<std::size_t>(m * kLanes)]);
  for (std::int64_t first = 0; first < count; first += kLanes) {
    const std::int64_t used = std::min(kLanes, count - first);
    read_lines(periods.data() + first, used, m, weights.get(), team, control);
    lanes.run(first, used, weights.get());
  }
}

#define APSP_INSTANTIATE(T)                                                                                  \
  template void factorise_periods(const TreeView&, const std::vector<graph::WeightedArcs>&, const bool*, T*, \
                                  std::int64_t, Team&, Control&);
APSP_INSTANTIATE(std::uint16_t)
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
