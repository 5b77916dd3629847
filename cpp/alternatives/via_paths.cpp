#include "alternatives/via_paths.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "alternatives/shorter.hpp"
#include "runtime/marks.hpp"
#include "runtime/team.hpp"

namespace apsp::alternatives {
namespace {

using Vertices = std::vector<std::int32_t>;

// The first vertex on the way from each vertex to the root of a tree that is one of some; found once.
class Ancestors {
 public:
  explicit Ancestors(std::int64_t n) : found_(n), known_(n) {}
  void clear() { known_.clear(); }

  template <class IsOne>
  std::int32_t of(std::int32_t v, const std::int32_t* next, const IsOne& is_one) {
    way_.clear();
    while (!known_.has(v) && !is_one(v)) {
      way_.push_back(v);
      v = next[v];
    }
    const std::int32_t end = known_.has(v) ? found_[v] : v;
    for (const std::int32_t each : way_) found_[each] = end, known_.add(each);
    return end;
  }

 private:
  Vertices found_, way_;
  Marks known_;
};

// The alternatives of one pair after another, by one thread.
class Searcher {
 public:
  Searcher(const graph::Csr& graph, const double* weights, const Limits& limits, const Control& control)
      : graph_(graph),
        weights_(weights),
        limits_(limits),
        control_(control),
        shorter_(graph, weights, control),
        after_(graph.n),
        first_of_(graph.n),
        leaves_(graph.n),
        returns_(graph.n),
        on_shortest_(graph.n),
        on_path_(graph.n),
        taken_(graph.m) {}

  // Distances of rows from the source and to the target, and their trees.
  void find(std::int32_t source, std::int32_t target, const double* from, const std::int32_t* before,
            const double* to, const std::int32_t* after, paths::PathsOfPair& into) {
    if (from[target] == std::numeric_limits<double>::infinity()) return;
    from_ = from, before_ = before, to_ = to;
    path_.clear();
    walk(target, before);
    std::reverse(path_.begin(), path_.end());
    into.add(path_);
    if (limits_.paths == 1 || source == target) return;
    std::copy(after, after + graph_.n, after_.begin());
    on_shortest_.clear();
    for (std::size_t i = 0; i < path_.size(); ++i) {
      on_shortest_.add(path_[i]);
      // of several shortest paths, both trees have the same
      if (i + 1 < path_.size()) after_[path_[i]] = path_[i + 1];
    }
    taken_.clear();
    measure();
    distance_ = along_.back();
    shorter_.of_pair(from, to, limits_.rounding * (distance_ * limits_.stretch));
    take();
    find_candidates();
    for (const Candidate& candidate : candidates_) {
      if ((++looked_at_ & 0xff) == 0) control_.check();
      path_.clear();
      walk(candidate.first, before_);
      std::reverse(path_.begin(), path_.end());
      path_.pop_back();
      walk(candidate.first, after_.data());
      if (!is_simple()) continue;
      const double shared = measure();
      if (along_.back() > limits_.stretch * distance_ || shared > limits_.sharing * distance_) continue;
      if (!is_locally_optimal(candidate)) continue;
      take();
      into.add(path_);
      if (static_cast<std::int64_t>(into.ends.size()) == limits_.paths) break;
    }
  }

 private:
  // The first and the last vertex of a plateau, a common part of both trees, whose vertices have one path.
  struct Candidate {
    double rank;
    std::int32_t first, last;
    bool operator<(const Candidate& other) const noexcept {
      return rank != other.rank ? rank < other.rank : last < other.last;
    }
  };

  void walk(std::int32_t v, const std::int32_t* next) {
    path_.push_back(v);
    for (; next[v] != v; path_.push_back(v)) v = next[v];
  }

  bool is_simple() {
    on_path_.clear();
    for (const std::int32_t v : path_) {
      if (on_path_.has(v)) return false;
      on_path_.add(v);
    }
    return true;
  }

  // The arcs of the path, and the lengths of its parts from the source; the length of arcs that are taken.
  double measure() {
    arcs_.clear(), along_.assign(1, 0.0);
    double shared = 0;
    for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
      const std::int32_t* first = graph_.indices + graph_.indptr[path_[i]];
      const std::int32_t* last = graph_.indices + graph_.indptr[path_[i] + 1];
      const std::int64_t arc = std::lower_bound(first, last, path_[i + 1]) - graph_.indices;
      const double weight = weights_ == nullptr ? 1 : weights_[arc];
      arcs_.push_back(arc), along_.push_back(along_.back() + weight);
      if (taken_.has(arc)) shared += weight;
    }
    return shared;
  }
  void take() {
    for (const std::int64_t arc : arcs_) taken_.add(arc);
  }

  void find_candidates() {
    candidates_.clear(), first_of_.clear(), leaves_.clear(), returns_.clear();
    const std::int32_t* after = after_.data();
    const auto begins = [&](std::int32_t v) { return before_[v] == v || after[before_[v]] != v; };
    const auto left = [&](std::int32_t v) { return before_[v] == v || on_shortest_.has(v); };
    const auto reached = [&](std::int32_t v) { return after[v] == v || on_shortest_.has(v); };
    for (std::int32_t v = 0; v < graph_.n; ++v) {
      const double length = from_[v] + to_[v];
      if (!(length <= limits_.stretch * distance_) || on_shortest_.has(v) || graph_.is_zone(v)) continue;
      if (after[v] != v && before_[after[v]] == v) continue;
      const double shared = from_[leaves_.of(v, before_, left)] + to_[returns_.of(v, after, reached)];
      if (!(shared <= limits_.sharing * distance_)) continue;
      const std::int32_t first = first_of_.of(v, before_, begins);
      if (before_[first] == after[v]) continue;
      candidates_.push_back({2 * length + shared - (from_[v] - from_[first]), first, v});
    }
    std::sort(candidates_.begin(), candidates_.end());
  }

  // Whether each part that is shorter than the limit without its last arc is a shortest path. That holds for
  // all parts up to the end of the plateau, and for all from its beginning on.
  bool is_locally_optimal(const Candidate& candidate) {
    const double limit = limits_.local_optimality * distance_;
    const auto begin = along_.begin(), end = along_.end();
    const auto first = std::find(path_.begin(), path_.end(), candidate.first) - path_.begin();
    const auto last = std::find(path_.begin() + first, path_.end(), candidate.last) - path_.begin();
    parts_.clear();
    for (auto i = std::upper_bound(begin, end, along_[last] - limit) - begin; i < first; ++i) {
      const auto j = std::min<std::ptrdiff_t>(std::lower_bound(begin, end, along_[i] + limit) - begin,
                                              static_cast<std::ptrdiff_t>(path_.size()) - 1);
      if (j > last) parts_.push_back({i, j});
    }
    if (parts_.empty() || is_shortest({parts_.front().first, parts_.back().second})) return true;
    return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) { return is_shortest(part); });
  }

  using Part = std::pair<std::ptrdiff_t, std::ptrdiff_t>;

  bool is_shortest(const Part& part) {
    const double size = static_cast<double>(path_.size());
    const double rounding = along_.back() * 8 * size * std::numeric_limits<double>::epsilon();
    const double length = along_[part.second] - along_[part.first];
    return !shorter_.exists(path_[part.first], path_[part.second], length - rounding);
  }

  const graph::Csr& graph_;
  const double* weights_;
  const Limits& limits_;
  const Control& control_;
  ShorterPath shorter_;
  Vertices after_, path_;
  Ancestors first_of_, leaves_, returns_;
  Marks on_shortest_, on_path_, taken_;
  const double* from_ = nullptr;
  const double* to_ = nullptr;
  const std::int32_t* before_ = nullptr;
  double distance_ = 0;
  std::uint64_t looked_at_ = 0;
  std::vector<std::int64_t> arcs_;
  std::vector<double> along_;
  std::vector<Part> parts_;
  std::vector<Candidate> candidates_;
};

}  // namespace

paths::PathsOfPairs via_paths(const graph::Csr& graph, const double* weights, const Trees& forward,
                              const Trees& backward, const Pairs& pairs, const Limits& limits, int threads,
                              Control& control) {
  std::vector<paths::PathsOfPair> parts(pairs.count);
  {
    Team team(static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(pairs.count, 1))));
    std::vector<std::unique_ptr<Searcher>> searchers(team.size());
    team.parallel_for(pairs.count, [&](std::int64_t i, int member) {
      if (!searchers[member]) searchers[member] = std::make_unique<Searcher>(graph, weights, limits, control);
      const std::int64_t there = pairs.forward_rows[i] * graph.n, back = pairs.backward_rows[i] * graph.n;
      searchers[member]->find(pairs.sources[i], pairs.targets[i], forward.dist + there, forward.next + there,
                              backward.dist + back, backward.next + back, parts[i]);
      control.advance(1);
    });
  }
  paths::PathsOfPairs found;
  for (const paths::PathsOfPair& part : parts) found.add(part);
  return found;
}

}  // namespace apsp::alternatives
