#include "flows/counted_arcs.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <stdexcept>

#include "flows/tree_lanes.hpp"
#include "flows/tree_tasks.hpp"
#include "runtime/large_pages.hpp"

namespace apsp::flows {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr std::int64_t kVertices = 1024;  // whose arcs a thread reads at once

// A square matrix of the columns and rows of a supernode.
struct Front {
  std::int64_t width;
  std::vector<double> near, paths;

  Front(std::int64_t count, bool counts)
      : width(count), near(count * count, kNone), paths(counts ? count * count : 0, 0.0) {}
};

class Counting {
 public:
  Counting(const elimination::TreeView& tree, Team& team, const Control& control)
      : tree_(tree),
        kernels_(tree_kernels()),
        team_(team),
        tasks_(tree, team),
        control_(control),
        node_(elimination::nodes_of(tree)),
        near_(on_large_pages<double>(tree.entries())),
        paths_(on_large_pages<double>(tree.entries())),
        child_(tree.nodes, -1),
        sibling_(tree.nodes, -1) {
    for (std::int64_t s = tree.nodes - 1; s >= 0; --s) {
      if (tree.parent[s] < 0) continue;
      sibling_[s] = child_[tree.parent[s]];
      child_[tree.parent[s]] = static_cast<std::int32_t>(s);
    }
  }

  void add(const graph::Csr& graph, const double* weights, const std::vector<std::int32_t>& place) {
    tasks_.upwards([&](std::int64_t s) {
      std::fill(near_.get() + tree_.panel_start[s], near_.get() + tree_.panel_start[s + 1], kNone);
      std::fill(paths_.get() + tree_.panel_start[s], paths_.get() + tree_.panel_start[s + 1], 0.0);
    });
    team_.parallel_for((graph.n + kVertices - 1) / kVertices, [&](std::int64_t part, int) {
      for (std::int64_t v = part * kVertices; v < std::min(graph.n, (part + 1) * kVertices); ++v)
        for (std::int64_t a = graph.indptr[v]; a < graph.indptr[v + 1]; ++a)
          if (graph.indices[a] != v) add_arc(place[v], place[graph.indices[a]], weights[a]);
    });
  }

  void add_arc(std::int32_t from, std::int32_t to, double length) {
    const std::int64_t s = node_[std::min(from, to)];
    const std::int64_t entry = entry_of(s, in_front(s, from), in_front(s, to));
    if (length > near_[entry]) return;
    paths_[entry] = length == near_[entry] ? paths_[entry] + 1 : 1;
    near_[entry] = length;
  }

  // The arcs, from the first to the last supernode.
  void eliminate() {
    std::vector<std::unique_ptr<Front>> rests(tree_.nodes);
    tasks_.upwards([&](std::int64_t s) {
      control_.check();
      const std::int64_t k = tree_.columns(s), width = k + tree_.row_count(s);
      Front front(width, true);
      for (std::int64_t i = 0; i < width; ++i)
        for (std::int64_t j = 0; j < (i < k ? width : k); ++j) {
          front.near[i * width + j] = near_[entry_of(s, i, j)];
          front.paths[i * width + j] = paths_[entry_of(s, i, j)];
        }
      for (std::int32_t child = child_[s]; child >= 0; child = sibling_[child]) {
        const std::vector<std::int64_t> to = positions(child, s);
        const std::int64_t below = tree_.columns(child);
        const Front& rest = *rests[child];
        for (std::size_t i = 0; i < to.size(); ++i)
          for (std::size_t j = 0; j < to.size(); ++j) {
            const std::int64_t from = (below + i) * rest.width + below + j, at = to[i] * width + to[j];
            if (i == j || rest.near[from] > front.near[at]) continue;
            const bool equal = rest.near[from] == front.near[at];
            front.paths[at] = (equal ? front.paths[at] : 0) + rest.paths[from];
            front.near[at] = rest.near[from];
          }
        rests[child].reset();
      }
      for (std::int64_t i = 0; i < width; ++i) front.near[i * width + i] = 0;
      for (std::int64_t p = 0; p < k; ++p)
        for (std::int64_t i = p + 1; i < width; ++i) {
          const double length = front.near[i * width + p];
          if (length < kNone)
            kernels_.join(&front.near[i * width + p + 1], &front.paths[i * width + p + 1], length,
                          front.paths[i * width + p], &front.near[p * width + p + 1],
                          &front.paths[p * width + p + 1], width - p - 1);
        }
      for (std::int64_t i = 0; i < width; ++i)
        for (std::int64_t j = 0; j < (i < k ? width : k); ++j) {
          near_[entry_of(s, i, j)] = front.near[i * width + j];
          paths_[entry_of(s, i, j)] = front.paths[i * width + j];
        }
      if (tree_.parent[s] >= 0) rests[s] = std::make_unique<Front>(std::move(front));
    });
  }

  // Those that are shortest paths, from the last to the first supernode.
  CountedArcs select() {
    std::vector<std::unique_ptr<Front>> fronts(tree_.nodes);
    std::vector<std::atomic<std::int32_t>> waiting(tree_.nodes);  // children
    for (std::int64_t s = 0; s < tree_.nodes; ++s)
      if (tree_.parent[s] >= 0) ++waiting[tree_.parent[s]];
    std::vector<Chosen> chosen(tree_.nodes);
    tasks_.downwards([&](std::int64_t s) {
      control_.check();
      const std::int64_t k = tree_.columns(s), r = tree_.row_count(s), width = k + r;
      auto front = std::make_unique<Front>(width, false);
      const std::int32_t up = tree_.parent[s];
      if (up >= 0) {
        const std::vector<std::int64_t> from = positions(s, up);
        const Front& above = *fronts[up];
        for (std::int64_t i = 0; i < r; ++i)
          for (std::int64_t j = 0; j < r; ++j)
            front->near[(k + i) * width + k + j] = above.near[from[i] * above.width + from[j]];
        if (--waiting[up] == 0) fronts[up].reset();
      }
      for (std::int64_t i = 0; i < width; ++i) front->near[i * width + i] = 0;
      chosen[s].up.ends.assign(k, 0);
      chosen[s].down.ends.assign(k, 0);
      for (std::int64_t c = k - 1; c >= 0; --c) choose(s, c, *front, chosen[s]);
      if (waiting[s] > 0) fronts[s] = std::move(front);
    });
    CountedArcs arcs;
    gather(chosen, &Chosen::up, arcs.up);
    gather(chosen, &Chosen::down, arcs.down);
    for (const Chosen& of : chosen) arcs.largest = std::max(arcs.largest, of.largest);
    return arcs;
  }

 private:
  // The position of `place` in the front of s.
  std::int64_t in_front(std::int64_t s, std::int32_t place) const {
    if (place < tree_.first[s + 1]) return place - tree_.first[s];
    const std::int32_t* rows = tree_.rows_of(s);
    const std::int32_t* end = rows + tree_.row_count(s);
    const std::int32_t* found = std::lower_bound(rows, end, place);
    if (found == end || *found != place)
      throw std::invalid_argument(
          "the elimination tree is of another graph: an arc joins vertices that it keeps apart");
    return tree_.columns(s) + (found - rows);
  }

  std::int64_t entry_of(std::int64_t s, std::int64_t i, std::int64_t j) const {
    const std::int64_t k = tree_.columns(s), width = k + tree_.row_count(s);
    return tree_.panel_start[s] + (i < k ? i * width + j : k * width + (i - k) * k + j);
  }

  // The rows of a child in the front of s.
  std::vector<std::int64_t> positions(std::int64_t child, std::int64_t s) const {
    std::vector<std::int64_t> to(static_cast<std::size_t>(tree_.row_count(child)));
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = in_front(s, tree_.rows_of(child)[i]);
    return to;
  }

  std::int32_t place_at(std::int64_t s, std::int64_t i) const {
    const std::int64_t k = tree_.columns(s);
    return static_cast<std::int32_t>(i < k ? tree_.first[s] + i : tree_.rows_of(s)[i - k]);
  }

  // Arcs of a supernode; those of its last column come first.
  struct ChosenHalf {
    std::vector<std::int64_t> ends;  // (columns,) where those of each end
    std::vector<std::int32_t> other;
    std::vector<double> length, paths;
  };
  struct Chosen {
    ChosenHalf up, down;
    double largest = 0;
  };

  // Joins the arcs of all supernodes, those of the last one first.
  void gather(std::vector<Chosen>& chosen, ChosenHalf Chosen::* which, CountedHalf& half) const {
    std::vector<std::int64_t> start(tree_.nodes);
    std::int64_t size = 0;
    for (std::int64_t s = tree_.nodes - 1; s >= 0; --s) {
      start[s] = size;
      size += static_cast<std::int64_t>((chosen[s].*which).other.size());
    }
    half.first.resize(tree_.n);
    half.last.resize(tree_.n);
    half.other.resize(size);
    half.length.resize(size);
    half.paths.resize(size);
    tasks_.upwards([&](std::int64_t s) {
      ChosenHalf& from = chosen[s].*which;
      std::copy(from.other.begin(), from.other.end(), half.other.begin() + start[s]);
      std::copy(from.length.begin(), from.length.end(), half.length.begin() + start[s]);
      std::copy(from.paths.begin(), from.paths.end(), half.paths.begin() + start[s]);
      const std::int64_t k = tree_.columns(s);
      for (std::int64_t c = 0; c < k; ++c) {
        half.first[tree_.first[s] + c] = start[s] + (c + 1 < k ? from.ends[c + 1] : 0);
        half.last[tree_.first[s] + c] = start[s] + from.ends[c];
      }
      from = {};
    });
  }

  // Distances between column c and all later places of the front, and the arcs that attain them.
  void choose(std::int64_t s, std::int64_t c, Front& front, Chosen& chosen) const {
    const std::int64_t width = front.width;
    double* row = &front.near[c * width];
    std::vector<Step> into;
    for (std::int64_t y = c + 1; y < width; ++y) {
      const double out = near_[entry_of(s, c, y)], in = near_[entry_of(s, y, c)];
      const double* other = &front.near[y * width];
      if (out < kNone)
        for (std::int64_t x = c + 1; x < width; ++x) row[x] = std::min(row[x], out + other[x]);
      if (in < kNone) into.push_back({y, in});
    }
    for (std::int64_t x = c + 1; x < width; ++x) {
      double best = kNone;
      for (const auto& [y, in] : into) best = std::min(best, front.near[x * width + y] + in);
      front.near[x * width + c] = best;
      keep(chosen, chosen.up, s, entry_of(s, c, x), x, row[x]);
      keep(chosen, chosen.down, s, entry_of(s, x, c), x, best);
    }
    chosen.up.ends[c] = static_cast<std::int64_t>(chosen.up.other.size());
    chosen.down.ends[c] = static_cast<std::int64_t>(chosen.down.other.size());
  }

  void keep(Chosen& chosen, ChosenHalf& half, std::int64_t s, std::int64_t entry, std::int64_t x,
            double distance) const {
    if (!(near_[entry] < kNone) || near_[entry] != distance) return;
    half.other.push_back(place_at(s, x));
    half.length.push_back(distance);
    half.paths.push_back(paths_[entry]);
    chosen.largest = std::max(chosen.largest, paths_[entry]);
  }

  struct Step {
    std::int64_t from;
    double length;
  };

  const elimination::TreeView& tree_;
  const TreeKernels& kernels_;
  Team& team_;
  TreeTasks tasks_;
  const Control& control_;
  std::vector<std::int32_t> node_;
  Buffer<double> near_, paths_;
  std::vector<std::int32_t> child_, sibling_;
};

}  // namespace

std::int64_t CountedHalf::find(std::int64_t u, std::int64_t v) const {
  const auto begin = other.begin() + first[u], end = other.begin() + last[u];
  const auto found = std::lower_bound(begin, end, static_cast<std::int32_t>(v));
  return found != end && *found == v ? found - other.begin() : -1;
}

CountedArcs counted_arcs(const elimination::TreeView& tree, const graph::Csr& graph, const double* weights,
                         const std::vector<std::int32_t>& place, Team& team, const Control& control) {
  Counting counting(tree, team, control);
  counting.add(graph, weights, place);
  counting.eliminate();
  return counting.select();
}

void spread(const elimination::TreeView& tree, const CountedArcs& arcs, double* up, double* down,
            double* through, Team& team, const Control& control) {
  const auto pass_on = [&](std::int64_t p) {
    for (std::int64_t a = arcs.down.first[p]; a < arcs.down.last[p]; ++a)
      for (std::int64_t b = arcs.up.first[p]; b < arcs.up.last[p]; ++b) {
        const std::int32_t i = arcs.down.other[a], j = arcs.up.other[b];
        if (i == j) continue;
        const CountedHalf& half = i < j ? arcs.up : arcs.down;
        const std::int64_t whole = i < j ? half.find(i, j) : half.find(j, i);
        if (whole < 0 || half.length[whole] != arcs.down.length[a] + arcs.up.length[b]) continue;
        const double share = i < j ? up[whole] : down[whole];
        down[a] += share * arcs.up.paths[b];
        up[b] += share * arcs.down.paths[a];
        through[p] += share * arcs.down.paths[a] * arcs.up.paths[b];
      }
  };
  TreeTasks(tree, team).downwards([&](std::int64_t s) {
    control.check();
    for (std::int64_t p = tree.first[s + 1] - 1; p >= tree.first[s]; --p) pass_on(p);
  });
}

void write_along(const CountedArcs& arcs, const graph::Csr& graph, const double* weights,
                 const std::vector<std::int32_t>& place, const double* up, const double* down,
                 double* along) {
  for (std::int64_t v = 0; v < graph.n; ++v)
    for (std::int64_t a = graph.indptr[v]; a < graph.indptr[v + 1]; ++a) {
      along[a] = 0;
      const std::int32_t from = place[v], to = place[graph.indices[a]];
      if (from == to) continue;
      const CountedHalf& half = from < to ? arcs.up : arcs.down;
      const std::int64_t found = half.find(std::min(from, to), std::max(from, to));
      if (found >= 0 && half.length[found] == weights[a]) along[a] = (from < to ? up : down)[found];
    }
}

}  // namespace apsp::flows
