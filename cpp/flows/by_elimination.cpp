// Counted arcs of an elimination, then per 16 sources a sweep up and down the tree, and both backwards.
// Elimination works over every closed semiring, so over pairs of a distance and a number of paths; the number
// of shortest paths of a pair is a polynomial of those of the arcs, and its derivatives are the flows.
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "flows/counted_arcs.hpp"
#include "flows/flows.hpp"
#include "flows/ordered_sums.hpp"
#include "flows/sweep_parts.hpp"
#include "flows/tree_lanes.hpp"
#include "runtime/large_pages.hpp"
#include "runtime/team.hpp"

namespace apsp::flows {
namespace {

constexpr double kMostPaths = 1e280;  // beyond it shares may be too small for float64
constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostBlocks = 64;  // of sources, whose flows are added up apart
constexpr std::int64_t kBatches = 8;      // in a block, at least

class TreeFlows {
 public:
  TreeFlows(const elimination::TreeView& tree, const std::vector<std::int32_t>& place,
            const CountedArcs& arcs, const Demand& demand, double cutoff, const Flows& flows)
      : tree_(tree),
        place_(place),
        node_(elimination::nodes_of(tree)),
        arcs_(arcs),
        demand_(demand),
        cutoff_(cutoff),
        flows_(flows),
        sequence_(demand.count),
        needed_(tree.n) {
    std::iota(sequence_.begin(), sequence_.end(), std::int64_t{0});
    std::stable_sort(sequence_.begin(), sequence_.end(), [&](std::int64_t a, std::int64_t b) {
      return place_[demand_.sources[a]] < place_[demand_.sources[b]];
    });
    if (demand.to != nullptr) {
      to_.resize(tree.n);
      for (std::int64_t v = 0; v < tree.n; ++v) {
        to_[place_[v]] = demand.to[v];
        needed_[place_[v]] = demand.to[v] != 0;
      }
    } else {
      for (std::int64_t i = 0; i < demand.start[demand.count]; ++i) needed_[place_[demand.targets[i]]] = true;
    }
    for (std::int64_t u = 0; u < tree.n; ++u) {
      if (!needed_[u]) continue;
      down_.push_back(static_cast<std::int32_t>(u));
      for (std::int64_t a = arcs.down.first[u]; a < arcs.down.last[u]; ++a)
        needed_[arcs.down.other[a]] = true;
    }
    for (std::int64_t s = 0; s < tree.nodes; ++s)
      if (tree.parent[s] < 0) ends_.push_back(tree.first[s + 1]);
    parts_ = sweep_parts(tree, down_);
    for (const SweepPart& part : parts_)
      if (!part.is_subtree) top_.insert(top_.end(), down_.begin() + part.begin, down_.begin() + part.end);
  }

  // False if there are too many paths for float64.
  bool run(Team& team, Control& control) {
    const std::int64_t n = tree_.n, up = size(arcs_.up), down = size(arcs_.down);
    const std::int64_t batches = (demand_.count + kTreeLanes - 1) / kTreeLanes;
    const std::int64_t each = std::max(kBatches, (batches + kMostBlocks - 1) / kMostBlocks);
    OrderedSums sums(n, up + down, nullptr, team.size());
    std::vector<std::unique_ptr<Room>> rooms(team.size());
    std::atomic<bool> too_many{false};
    team.parallel_for((batches + each - 1) / each, [&](std::int64_t block, int member) {
      try {
        if (!rooms[member]) rooms[member] = std::make_unique<Room>(n, demand_.to == nullptr);
        OrderedSums::Part part = sums.take();
        for (std::int64_t b = block * each; b < std::min(batches, (block + 1) * each) && !too_many; ++b) {
          control.check();
          if (!batch(*rooms[member], b, part->values.data())) too_many = true;
          control.advance(std::min(kTreeLanes, demand_.count - b * kTreeLanes));
        }
        sums.give(block, std::move(part));
      } catch (...) {
        sums.stop();
        throw;
      }
    });
    if (too_many) return false;
    total_.resize(2 * n + up + down);
    for (std::size_t i = 0; i < total_.size(); ++i) total_[i] = sums[static_cast<std::int64_t>(i)];
    spread(tree_, arcs_, total_.data() + 2 * n, total_.data() + 2 * n + up, total_.data(), team, control);
    for (std::int64_t v = 0; v < n; ++v) {
      flows_.through[v] = total_[place_[v]];
      flows_.arrived[v] = total_[n + place_[v]];
    }
    return true;
  }

  // After run.
  void write_along(const graph::Csr& graph, const double* weights) const {
    const double *up = total_.data() + 2 * tree_.n, *down = up + size(arcs_.up);
    flows::write_along(arcs_, graph, weights, place_, up, down, flows_.along);
  }

 private:
  struct Room {
    Room(std::int64_t n, bool rows)
        : near(on_large_pages<double>((n + kSubtreePlaces) * kTreeLanes)),
          paths(on_large_pages<double>((n + kSubtreePlaces) * kTreeLanes)),
          climbed(buffer<double>(n * kTreeLanes)),
          onward(on_large_pages<double>((n + kSubtreePlaces) * kTreeLanes)),
          demand(on_large_pages<double>(rows ? n * kTreeLanes : 0)),
          met(n),
          seen(n) {
      std::fill_n(onward.get(), (n + kSubtreePlaces) * kTreeLanes, 0.0);
      if (rows) std::fill_n(demand.get(), n * kTreeLanes, 0.0);
    }
    Buffer<double> near, paths, climbed, onward, demand;
    std::vector<std::uint8_t> met, seen;  // places; supernodes
    std::vector<std::int32_t> nodes, path;
  };

  static std::int64_t size(const CountedHalf& half) { return static_cast<std::int64_t>(half.other.size()); }
  static HalfArcs view(const CountedHalf& half) {
    return {half.first.data(), half.last.data(), half.other.data(), half.length.data(), half.paths.data()};
  }

  // part: through, arrived, and the flow per path of arcs up and down, one after another.
  bool batch(Room& room, std::int64_t index, double* part) {
    const std::int64_t first = index * kTreeLanes, here = std::min(kTreeLanes, demand_.count - first);
    find_path(room, first, here);
    const std::int64_t n = tree_.n;
    TreeSweep sweep{view(arcs_.up),
                    view(arcs_.down),
                    room.near.get(),
                    room.paths.get(),
                    room.climbed.get(),
                    room.onward.get(),
                    room.met.data(),
                    demand_.to != nullptr ? to_.data() : nullptr,
                    room.demand.get(),
                    cutoff_,
                    part,
                    part + n,
                    part + 2 * n,
                    part + 2 * n + size(arcs_.up),
                    {},
                    0};
    write_demand(room, first, here, true);
    const TreeKernels& kernels = tree_kernels();
    const TreePlaces path = all_of(room.path);
    kernels.near_up(sweep, path);
    kernels.near_down(sweep, path);
    kernels.count_up(sweep, path);
    const Trees trees = trees_of(first, here);
    kernels.count_down(sweep, within(trees, top_.data(), static_cast<std::int64_t>(top_.size())));
    for (auto part = first_part(trees); part != parts_.end() && part->first < trees.beyond; ++part) {
      const TreePlaces some = lines_of(*part, room.path, trees);
      if (part->is_subtree) kernels.count_down(sweep, some);
      kernels.share_down(sweep, some);
    }
    kernels.share_up(sweep, path);
    const bool fits = sweep.largest < kMostPaths;
    write_demand(room, first, here, false);
    for (std::int64_t lane = 0; lane < here; ++lane)
      flows_.served[sequence_[first + lane]] = sweep.served[lane];
    for (const std::int32_t u : room.path) {
      std::fill_n(room.onward.get() + u * kTreeLanes, kTreeLanes, 0.0);
      room.met[u] = false;
    }
    for (const std::int32_t s : room.nodes) room.seen[s] = false;
    return fits;
  }

  static TreePlaces all_of(const std::vector<std::int32_t>& places) {
    return {places.data(), static_cast<std::int64_t>(places.size()), 0, 0};
  }

  // Places of the trees of a batch, which no other tree has an arc to.
  struct Trees {
    std::int64_t first, beyond;
  };

  Trees trees_of(std::int64_t first, std::int64_t count) const {
    const auto own = std::upper_bound(ends_.begin(), ends_.end(), source(first));
    const auto last = std::upper_bound(own, ends_.end(), source(first + count - 1));
    return {own == ends_.begin() ? 0 : *(own - 1), *last};
  }

  static TreePlaces within(const Trees& trees, const std::int32_t* places, std::int64_t count) {
    const std::int32_t* begin = std::lower_bound(places, places + count, trees.first);
    return {begin, std::lower_bound(begin, places + count, trees.beyond) - begin, 0, 0};
  }

  std::vector<SweepPart>::const_iterator first_part(const Trees& trees) const {
    return std::upper_bound(parts_.begin(), parts_.end(), trees.first,
                            [](std::int64_t place, const SweepPart& part) { return place < part.beyond; });
  }

  // The places of a part; a subtree that no source is in uses the lines after those of all places.
  TreePlaces lines_of(const SweepPart& part, const std::vector<std::int32_t>& path,
                      const Trees& trees) const {
    const std::int32_t* places = down_.data() + part.begin;
    if (!part.is_subtree) return within(trees, places, part.end - part.begin);
    TreePlaces some{places, part.end - part.begin, 0, 0};
    const auto met = std::lower_bound(path.begin(), path.end(), part.first);
    if (met == path.end() || *met >= part.beyond) {
      some.end = part.beyond;
      some.shift = tree_.n - part.first;
    }
    return some;
  }

  // The places between the sources and their roots, and what the sweeps begin with there.
  void find_path(Room& room, std::int64_t first, std::int64_t count) {
    room.nodes.clear();
    room.path.clear();
    for (std::int64_t lane = 0; lane < count; ++lane)
      for (std::int32_t s = node_[source(first + lane)]; s >= 0 && !room.seen[s]; s = tree_.parent[s]) {
        room.seen[s] = true;
        room.nodes.push_back(s);
      }
    std::sort(room.nodes.begin(), room.nodes.end());
    for (const std::int32_t s : room.nodes)
      for (std::int32_t u = tree_.first[s]; u < tree_.first[s + 1]; ++u) {
        room.path.push_back(u);
        room.met[u] = true;
        std::fill_n(room.near.get() + u * kTreeLanes, kTreeLanes, kNone);
        std::fill_n(room.climbed.get() + u * kTreeLanes, kTreeLanes, 0.0);
      }
    for (std::int64_t lane = 0; lane < count; ++lane) {
      room.near[source(first + lane) * kTreeLanes + lane] = 0;
      room.climbed[source(first + lane) * kTreeLanes + lane] = 1;
    }
  }

  std::int64_t source(std::int64_t i) const { return place_[demand_.sources[sequence_[i]]]; }

  void write_demand(Room& room, std::int64_t first, std::int64_t count, bool values) const {
    if (demand_.to != nullptr) return;
    for (std::int64_t lane = 0; lane < count; ++lane) {
      const std::int64_t row = sequence_[first + lane];
      for (std::int64_t i = demand_.start[row]; i < demand_.start[row + 1]; ++i)
        room.demand[place_[demand_.targets[i]] * kTreeLanes + lane] = values ? demand_.values[i] : 0.0;
    }
  }

  const elimination::TreeView& tree_;
  const std::vector<std::int32_t>& place_;
  std::vector<std::int32_t> node_;
  const CountedArcs& arcs_;
  const Demand& demand_;
  double cutoff_;
  const Flows& flows_;
  std::vector<std::int64_t> sequence_;    // the sources by place
  std::vector<std::uint8_t> needed_;      // places between the targets and their roots
  std::vector<std::int32_t> down_, top_;  // places of the way down; those above the subtrees
  std::vector<std::int64_t> ends_;        // of the trees: the places after their roots
  std::vector<SweepPart> parts_;
  std::vector<double> to_, total_;
};

}  // namespace

bool flows_by_elimination(const elimination::TreeView& tree, const graph::Csr& graph, const double* weights,
                          const Demand& demand, double cutoff, const Flows& flows, int threads,
                          Control& control) {
  const std::vector<std::int32_t> place = elimination::places_of(tree);
  Team team(threads);
  const CountedArcs arcs = counted_arcs(tree, graph, weights, place, team, control);
  return flows_by_elimination(tree, graph, weights, place, arcs, demand, cutoff, flows, team, control);
}

bool flows_by_elimination(const elimination::TreeView& tree, const graph::Csr& graph, const double* weights,
                          const std::vector<std::int32_t>& place, const CountedArcs& arcs,
                          const Demand& demand, double cutoff, const Flows& flows, Team& team,
                          Control& control) {
  if (!(arcs.largest < kMostPaths)) return false;
  TreeFlows sweeps(tree, place, arcs, demand, cutoff, flows);
  if (!sweeps.run(team, control)) return false;
  if (flows.along != nullptr) sweeps.write_along(graph, weights);
  return true;
}

}  // namespace apsp::flows
