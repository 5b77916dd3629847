#include "searches/cut.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/team.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kBetweenBounds = 512;      // arcs between two bounds within a level
constexpr std::int64_t kBetweenChecks = 1 << 16;  // arcs between two looks at the control
constexpr std::int64_t kBlock = 1024;             // vertices that a thread bounds at a time
constexpr double kRounding = 1e-9;                // relative: more than all roundings of a bound

// The k largest of some numbers, for several threads.
class Largest {
 public:
  Largest(std::vector<double> best, std::int64_t k) : best_(std::move(best)), k_(k) {
    std::make_heap(best_.begin(), best_.end(), std::greater<>());
    trim();
  }

  // A source of a smaller bound is not among the k.
  double floor() const noexcept { return floor_.load(std::memory_order_relaxed); }

  void add(double value) {
    const std::lock_guard lock(mutex_);
    best_.push_back(value);
    std::push_heap(best_.begin(), best_.end(), std::greater<>());
    trim();
  }

 private:
  void trim() {
    while (static_cast<std::int64_t>(best_.size()) > k_) {
      std::pop_heap(best_.begin(), best_.end(), std::greater<>());
      best_.pop_back();
    }
    if (static_cast<std::int64_t>(best_.size()) == k_) floor_ = best_.front() * (1 - kRounding);
  }

  std::vector<double> best_;
  std::int64_t k_;
  std::mutex mutex_;
  std::atomic<double> floor_{-1};
};

}  // namespace

// One thread's searches.
class CutSearches::One {
 public:
  explicit One(const CutSearches& all)
      : all_(all), graph_(all.graph_), seen_((graph_.n + 63) / 64), order_(graph_.n + 1) {}

  std::int64_t scanned() const noexcept { return scanned_; }

  // The number of vertices that are reached, or kCut.
  std::int64_t run(std::int32_t source, const Largest& largest, const Control& control) {
    total_ = 0;
    reciprocals_ = 0;
    scanned_ = 0;
    order_[0] = source;
    mark(source);
    std::int64_t first = 0, count = 1, open = degree(source);
    for (std::int64_t level = 1; first < count; ++level) {
      const std::int64_t last = count;
      std::int64_t ahead = 0;  // arcs out of the vertices of this level
      std::int64_t bounded = scanned_;
      for (; first < last; ++first) {
        const std::int32_t u = order_[first];
        open -= degree(u) - (level > 1 ? all_.back_ : 0);
        for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
          const std::int32_t v = graph_.indices[a];
          std::uint64_t& word = seen_[v >> 6];
          const std::uint64_t is_new = ~(word >> (v & 63)) & 1;
          order_[count] = v;
          count += static_cast<std::int64_t>(is_new);
          word |= is_new << (v & 63);
        }
        scanned_ += degree(u);
        if (scanned_ / kBetweenChecks != (scanned_ - degree(u)) / kBetweenChecks) control.check();
        if (scanned_ - bounded < kBetweenBounds) continue;
        bounded = scanned_;
        if (is_cut(source, last, level, count - last + open, largest)) return leave(count);
      }
      const auto found = static_cast<double>(count - last);
      total_ += level * (count - last);
      reciprocals_ += found / static_cast<double>(level);
      for (std::int64_t i = last; i < count; ++i) ahead += degree(order_[i]) - all_.back_;
      open = ahead;
      if (is_cut(source, count, level + 1, open, largest)) return leave(count);
    }
    leave(count);
    return count;
  }

  std::int64_t total() const noexcept { return total_; }
  double reciprocals() const noexcept { return reciprocals_; }

 private:
  std::int64_t degree(std::int32_t v) const noexcept { return graph_.indptr[v + 1] - graph_.indptr[v]; }
  void mark(std::int32_t v) noexcept { seen_[v >> 6] |= std::uint64_t{1} << (v & 63); }

  // With `counted` vertices at distances below `level`, and at most `next` at that distance.
  bool is_cut(std::int32_t source, std::int64_t counted, std::int64_t level, std::int64_t next,
              const Largest& largest) const {
    const double sum = all_.centrality_ == Centrality::kHarmonic ? reciprocals_ : static_cast<double>(total_);
    return all_.bound(source, counted, sum, level, next, graph_.n) < largest.floor();
  }

  std::int64_t leave(std::int64_t count) {
    if (count * 64 > graph_.n)
      std::fill(seen_.begin(), seen_.end(), 0);
    else
      for (std::int64_t i = 0; i < count; ++i) seen_[order_[i] >> 6] = 0;
    return Found::kCut;
  }

  const CutSearches& all_;
  const graph::Csr& graph_;
  std::vector<std::uint64_t> seen_;
  std::vector<std::int32_t> order_;
  std::int64_t total_ = 0, scanned_ = 0;
  double reciprocals_ = 0;
};

CutSearches::CutSearches(const graph::Csr& graph, bool undirected, const Reach& reach, Centrality centrality)
    : graph_(graph), reach_(reach), centrality_(centrality), back_(undirected ? 1 : 0) {
  graph::check_csr(graph);
}

double CutSearches::value(double reached, double total) const noexcept {
  const double others = reached - 1;
  if (total <= 0) return 0;
  const double closeness = others / total;
  return centrality_ == Centrality::kCloseness
             ? closeness
             : closeness * (others / static_cast<double>(std::max<std::int64_t>(graph_.n - 1, 1)));
}

// `counted` vertices at distances below `level` of the sum `total` (of 1 / distance for the harmonic
// centrality), at most `next` vertices at `level` and `after` at level + 1, all others at level + 2 or
// farther. The sum of distances is a convex, piecewise linear function of the number r of vertices that are
// reached, and r^2 over a positive linear function is convex, r over it monotone: the largest value is at an
// end of a piece.
double CutSearches::bound(std::int32_t source, std::int64_t counted, double total, std::int64_t level,
                          std::int64_t next, std::int64_t after) const noexcept {
  const std::int64_t most = std::max(reach_.most[source], counted);
  const std::int64_t fewest = std::clamp(reach_.fewest[source], counted, most);
  next = std::min(std::max<std::int64_t>(next, 0), graph_.n);
  if (next == 0) after = 0;
  const auto at = [&](std::int64_t reached) {
    const std::int64_t more = reached - counted, near = std::min(more, next),
                       second = std::min(more - near, after);
    const auto far = static_cast<double>(more - near - second);
    const auto hops = static_cast<double>(level);
    if (centrality_ == Centrality::kHarmonic)
      return total + static_cast<double>(near) / hops + static_cast<double>(second) / (hops + 1) +
             far / (hops + 2);
    return value(static_cast<double>(reached), total + static_cast<double>(near) * hops +
                                                   static_cast<double>(second) * (hops + 1) +
                                                   far * (hops + 2));
  };
  double largest = at(most);
  if (fewest == most || centrality_ == Centrality::kHarmonic) return largest;
  largest = std::max(largest, at(fewest));
  for (const std::int64_t end : {counted + next, counted + next + after})
    if (end > fewest && end < most) largest = std::max(largest, at(end));
  return largest;
}

void CutSearches::bound(double* bounds, int threads, Control& control) const {
  Team team(threads);
  team.parallel_for((graph_.n + kBlock - 1) / kBlock, [&](std::int64_t block, int) {
    control.check();
    const std::int64_t end = std::min(graph_.n, (block + 1) * kBlock);
    for (std::int64_t v = block * kBlock; v < end; ++v) {
      std::int64_t after = 0;
      for (std::int64_t a = graph_.indptr[v]; a < graph_.indptr[v + 1]; ++a) {
        const std::int32_t u = graph_.indices[a];
        after += graph_.indptr[u + 1] - graph_.indptr[u] - back_;
      }
      bounds[v] = bound(static_cast<std::int32_t>(v), 1, 0, 1, graph_.indptr[v + 1] - graph_.indptr[v],
                        std::max<std::int64_t>(after, 0));
    }
  });
}

Spent CutSearches::search(const std::int32_t* sources, std::int64_t count, const double* bounds,
                          std::vector<double> best, std::int64_t k, std::int64_t arcs, const Found& found,
                          int threads, Control& control) const {
  graph::check_vertices(sources, count, graph_.n, "sources");
  Largest largest(std::move(best), k);
  std::atomic<std::int64_t> scanned{0}, begun{0};
  Team team(static_cast<int>(std::clamp<std::int64_t>(count, 1, threads)));
  std::vector<std::unique_ptr<One>> searches(team.size());
  team.parallel_for(count, [&](std::int64_t i, int member) {
    control.check();
    found.reached[i] = Found::kCut;
    control.advance(1);
    if (bounds[sources[i]] < largest.floor()) return;
    if (scanned.load(std::memory_order_relaxed) > arcs) {
      found.reached[i] = Found::kLeft;
      return;
    }
    if (!searches[member]) searches[member] = std::make_unique<One>(*this);
    One& one = *searches[member];
    begun.fetch_add(1, std::memory_order_relaxed);
    found.reached[i] = one.run(sources[i], largest, control);
    scanned.fetch_add(one.scanned(), std::memory_order_relaxed);
    if (found.reached[i] == Found::kCut) return;
    found.total[i] = one.total();
    found.reciprocals[i] = one.reciprocals();
    largest.add(centrality_ == Centrality::kHarmonic
                    ? one.reciprocals()
                    : value(static_cast<double>(found.reached[i]), static_cast<double>(one.total())));
  });
  return {.arcs = scanned, .searches = begun};
}

}  // namespace apsp::searches
