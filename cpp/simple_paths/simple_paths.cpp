#include "simple_paths/simple_paths.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <queue>
#include <utility>

#include "runtime/least_first.hpp"
#include "runtime/team.hpp"
#include "simple_paths/deviation_search.hpp"

namespace apsp::simple_paths {
namespace {

template <class T>
struct PathsOfPair : paths::PathsOfPair {
  std::vector<Label<T>> lengths;
};

// Searches of one thread, for one pair after another.
template <class T>
class Searcher {
 public:
  using Length = Label<T>;

  Searcher(const graph::Csr& graph, const T* weights, const Control& control)
      : graph_(graph),
        weights_(weights),
        control_(control),
        search_(graph, weights, control),
        path_(graph.n),
        bounds_(graph.n),
        detour_of_(graph.n, -1) {}

  void find(std::int32_t source, std::int32_t target, const T* dist, std::int64_t k, PathsOfPair<T>& into) {
    clear();
    bounds_.dist = dist;
    target_ = target, k_ = k;
    if (k <= 0 || !bounds_.has_path(source)) return;
    if (source == target) {
      add_path({source}, -1, -1);
    } else {
      path_.follow(nullptr, nullptr, 0);
      typename DeviationSearch<T>::Request request;
      request.from = source, request.target = target, request.limit = kUnlimited;
      request.closes_path = request.joins = false;
      search_.run(request, path_, bounds_, found_);
      if (found_.end != End::kTarget) return;
      std::vector<std::int32_t> first{source};
      first.insert(first.end(), found_.vertices.begin(), found_.vertices.end());
      shortest_ = found_.bound;
      note_length(shortest_);
      add_path(std::move(first), -1, -1);
      while (static_cast<std::int64_t>(paths_.size()) < k_ && step()) continue;
    }
    hand_over(into);
  }

 private:
  static constexpr Length kUnlimited = std::numeric_limits<Length>::max();

  struct Path {
    std::vector<std::int32_t> vertices;
    std::vector<Length> lengths;  // from the source
  };
  // How much is known of the shortest path of a candidate.
  enum class Known : std::uint8_t { kArcs, kAlone, kBound, kPath };
  // All paths that begin as a path that was found, up to its vertex at `place`, and leave by other arcs than
  // the closed ones.
  struct Candidate {
    Length bound;
    std::int32_t path, place;
    Known known;
    std::uint32_t number;
    std::int32_t closed;  // in closed_; -1: only the next vertex of the path
    std::int32_t way;     // in ways_, of kPath and of kBound by a detour
    bool operator<(const Candidate& other) const noexcept {
      if (bound != other.bound) return bound < other.bound;
      if (known != other.known) return other.known < known;
      return number < other.number;
    }
  };
  // Of a vertex whose arc to `closed` may not be taken, with nothing else closed: a lower bound of the
  // distance to the target, and how a path of this length begins, if it is known.
  struct Detour {
    std::int32_t closed;
    Length bound;
    std::int32_t way;  // in ways_, -1 if the bound may be too small
    bool searched;
  };

  void clear() {
    paths_.clear(), candidates_.clear(), closed_.clear(), ways_.clear();
    for (const std::int32_t v : with_detour_) detour_of_[v] = -1;
    with_detour_.clear(), detours_.clear();
    shortest_lengths_ = {};
    number_ = 0, followed_ = -1;
  }

  // Takes the best candidate, and finds out more about it, or adds its path. False if there are no more
  // paths.
  bool step() {
    if (candidates_.empty()) return false;
    const Candidate best = candidates_.pop();
    if ((++steps_ & 0xff) == 0) control_.check();
    if (best.known == Known::kPath) {
      add_path(joined(best), best.path, best.place, best.closed);
      return true;
    }
    if (is_needless(best.bound)) return true;
    follow(best.path);
    if (best.known == Known::kArcs && best.closed < 0)
      search_alone(best);
    else if (best.known == Known::kAlone && is_open(best))
      add_exact(best, best.bound, best.way);
    else
      search(best);
    return true;
  }

  // The search with nothing closed but the vertex and one arc, whose result other paths share.
  void search_alone(Candidate candidate) {
    const std::int32_t vertex = paths_[candidate.path].vertices[candidate.place];
    const Length before = paths_[candidate.path].lengths[candidate.place];
    Detour& detour = detour_at(vertex, paths_[candidate.path].vertices[candidate.place + 1]);
    if (!detour.searched && !(candidate.bound < bound_with(before, detour))) {
      typename DeviationSearch<T>::Request request = request_of(candidate);
      request.length = 0, request.closes_path = false;
      const Length limit = limit_of(candidate.bound);
      request.limit = limit == kUnlimited ? kUnlimited : std::max(limit - before, detour.bound);
      search_.run(request, path_, bounds_, found_);
      if (found_.end == End::kNone) {
        detour.bound = kUnlimited, detour.searched = true, detour.way = -1;
      } else {
        detour.searched = found_.end != End::kBeyond;
        detour.bound = std::max(detour.bound, found_.bound);
        detour.way = Bounds<T>::kExact && detour.searched ? add_way(found_.vertices) : -1;
      }
    }
    if (detour.bound == kUnlimited) return;
    const Length bound = bound_with(before, detour);
    const bool goes_on = !detour.searched && candidate.bound < bound;
    candidate.bound = std::max(candidate.bound, bound), candidate.way = detour.way;
    candidate.known = goes_on ? Known::kArcs : detour.way >= 0 ? Known::kAlone : Known::kBound;
    candidates_.push(candidate);
  }

  // Whether the way that was found with less closed is open, and leads to where the path is a shortest one.
  bool is_open(const Candidate& candidate) const {
    const std::vector<std::int32_t>& way = ways_[candidate.way];
    const std::int32_t last = path_.place(way.back());
    if (last <= candidate.place || !bounds_.is_shortest(path_.length_from(last), way.back())) return false;
    return std::all_of(way.begin(), way.end() - 1, [&](std::int32_t v) {
      const std::int32_t place = path_.place(v);
      return place < 0 || (place > candidate.place && place < last);
    });
  }

  void search(Candidate candidate) {
    typename DeviationSearch<T>::Request request = request_of(candidate);
    request.joins = Bounds<T>::kExact;
    request.limit = limit_of(candidate.bound);
    search_.run(request, path_, bounds_, found_);
    if (found_.end == End::kNone) return;
    if (found_.end == End::kBeyond) {
      candidate.bound = std::max(candidate.bound, found_.bound), candidate.known = Known::kBound;
      candidates_.push(candidate);
    } else {
      add_exact(candidate, found_.bound, add_way(found_.vertices));
    }
  }

  void add_exact(Candidate candidate, Length length, std::int32_t way) {
    if (is_needless(length)) return;
    note_length(length);
    candidate.bound = length, candidate.known = Known::kPath, candidate.way = way;
    candidates_.push(candidate);
  }

  typename DeviationSearch<T>::Request request_of(const Candidate& candidate) const {
    typename DeviationSearch<T>::Request request;
    request.from = paths_[candidate.path].vertices[candidate.place];
    request.target = target_;
    request.length = paths_[candidate.path].lengths[candidate.place];
    if (candidate.closed < 0) {
      request.closed = paths_[candidate.path].vertices.data() + candidate.place + 1;
      request.closed_count = 1;
    } else {
      request.closed = closed_[candidate.closed].data();
      request.closed_count = static_cast<std::int32_t>(closed_[candidate.closed].size());
    }
    return request;
  }

  // Searches end at lengths that rise by a factor, so that long detours are looked for only if they are
  // needed.
  Length limit_of(Length bound) const {
    const Length most = is_full() ? shortest_lengths_.top() : kUnlimited;
    const Length over = std::max(bound - shortest_, shortest_ / 64);
    if (!(over > 0)) return most;
    const Length further = bound > kUnlimited / 2 - over ? kUnlimited : bound + 2 * over;
    return std::min(most, further);
  }

  std::vector<std::int32_t> joined(const Candidate& candidate) const {
    const Path& path = paths_[candidate.path];
    const std::vector<std::int32_t>& way = ways_[candidate.way];
    std::vector<std::int32_t> vertices(path.vertices.begin(), path.vertices.begin() + candidate.place + 1);
    vertices.insert(vertices.end(), way.begin(), way.end());
    if (way.back() != target_) {
      const auto rest = std::find(path.vertices.begin() + candidate.place, path.vertices.end(), way.back());
      vertices.insert(vertices.end(), rest + 1, path.vertices.end());
    }
    return vertices;
  }

  // Adds a path, and the candidates that are left of those from which it comes: at the vertex where it leaves
  // an older path, and at each one that follows.
  void add_path(std::vector<std::int32_t> vertices, std::int32_t parent, std::int32_t place,
                std::int32_t closed = -1) {
    const auto number = static_cast<std::int32_t>(paths_.size());
    paths_.push_back({std::move(vertices), {}});
    Path& path = paths_.back();
    path.lengths.resize(path.vertices.size());
    path.lengths[0] = 0;
    for (std::size_t i = 1; i < path.vertices.size(); ++i)
      path.lengths[i] = path.lengths[i - 1] + weight(path.vertices[i - 1], path.vertices[i]);
    if (number + 1 >= k_) return;
    if (parent >= 0) {
      std::vector<std::int32_t> heads{paths_[parent].vertices[place + 1]};
      if (closed >= 0) heads = closed_[closed];
      heads.push_back(path.vertices[place + 1]);
      closed_.push_back(std::move(heads));
      follow(parent);
      consider(parent, place, static_cast<std::int32_t>(closed_.size()) - 1);
    }
    follow(number);
    const auto last = static_cast<std::int32_t>(path.vertices.size()) - 1;
    for (std::int32_t i = place + 1; i < last; ++i) {
      const Detour* known = detour_at_if(path.vertices[i], path.vertices[i + 1]);
      if (known == nullptr || !is_needless(bound_with(path.lengths[i], *known))) consider(number, i, -1);
    }
  }

  void consider(std::int32_t path, std::int32_t place, std::int32_t closed) {
    Candidate candidate{0, path, place, Known::kArcs, number_++, closed, -1};
    const auto request = request_of(candidate);
    if (!search_.first_bound(request, path_, bounds_, candidate.bound) || is_needless(candidate.bound))
      return;
    if (closed < 0) {
      const Detour* known = detour_at_if(request.from, *request.closed);
      if (known != nullptr) {
        if (known->bound == kUnlimited) return;
        candidate.bound = std::max(candidate.bound, bound_with(request.length, *known));
      }
    }
    candidates_.push(candidate);
  }

  Detour& detour_at(std::int32_t vertex, std::int32_t closed) {
    if (detour_of_[vertex] < 0) {
      detour_of_[vertex] = static_cast<std::int32_t>(detours_.size());
      detours_.push_back({closed, 0, -1, false});
      with_detour_.push_back(vertex);
    }
    Detour& detour = detours_[detour_of_[vertex]];
    if (detour.closed != closed) detour = {closed, 0, -1, false};
    return detour;
  }
  const Detour* detour_at_if(std::int32_t vertex, std::int32_t closed) const {
    if (detour_of_[vertex] < 0 || detours_[detour_of_[vertex]].closed != closed) return nullptr;
    return &detours_[detour_of_[vertex]];
  }
  Length bound_with(Length before, const Detour& detour) const {
    return detour.bound == kUnlimited ? kUnlimited : bounds_.sums.lowered(before + detour.bound);
  }

  // The k shortest lengths of paths that are known, those already added among them.
  bool is_full() const { return static_cast<std::int64_t>(shortest_lengths_.size()) == k_; }
  void note_length(Length length) {
    if (is_full()) {
      if (!(length < shortest_lengths_.top())) return;
      shortest_lengths_.pop();
    }
    shortest_lengths_.push(length);
  }
  bool is_needless(Length bound) const { return is_full() && !(bound < shortest_lengths_.top()); }

  void follow(std::int32_t path) {
    if (followed_ == path) return;
    followed_ = path;
    path_.follow(paths_[path].vertices.data(), paths_[path].lengths.data(),
                 static_cast<std::int32_t>(paths_[path].vertices.size()));
  }

  std::int32_t add_way(const std::vector<std::int32_t>& vertices) {
    ways_.push_back(vertices);
    return static_cast<std::int32_t>(ways_.size()) - 1;
  }

  Length weight(std::int32_t tail, std::int32_t head) const {
    const std::int32_t* first = graph_.indices + graph_.indptr[tail];
    const std::int32_t* last = graph_.indices + graph_.indptr[tail + 1];
    return static_cast<Length>(weights_[std::lower_bound(first, last, head) - graph_.indices]);
  }

  void hand_over(PathsOfPair<T>& into) {
    std::vector<std::int32_t> order(paths_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t one, std::int32_t other) {
      const Path &a = paths_[one], &b = paths_[other];
      if (a.lengths.back() != b.lengths.back()) return a.lengths.back() < b.lengths.back();
      return a.vertices < b.vertices;
    });
    for (const std::int32_t i : order) {
      into.add(paths_[i].vertices);
      into.lengths.push_back(paths_[i].lengths.back());
    }
  }

  const graph::Csr& graph_;
  const T* weights_;
  const Control& control_;
  DeviationSearch<T> search_;
  Followed<T> path_;
  Bounds<T> bounds_;
  Deviation<T> found_;
  std::int32_t target_ = 0, followed_ = -1;
  std::int64_t k_ = 0;
  Length shortest_ = 0;
  std::uint32_t number_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<Path> paths_;
  LeastFirst<Candidate> candidates_;
  std::vector<std::vector<std::int32_t>> closed_, ways_;
  std::vector<std::int32_t> detour_of_, with_detour_;
  std::vector<Detour> detours_;
  std::priority_queue<Length> shortest_lengths_;
};

}  // namespace

template <class T>
Found<T> shortest(const graph::Csr& graph, const T* weights, const Pairs<T>& pairs, std::int64_t k,
                  int threads, Control& control) {
  std::vector<PathsOfPair<T>> parts(pairs.count);
  {
    Team team(static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(pairs.count, 1))));
    std::vector<std::unique_ptr<Searcher<T>>> searchers(team.size());
    team.parallel_for(pairs.count, [&](std::int64_t i, int member) {
      if (!searchers[member]) searchers[member] = std::make_unique<Searcher<T>>(graph, weights, control);
      searchers[member]->find(pairs.sources[i], pairs.targets[i], pairs.dist + pairs.rows[i] * pairs.stride,
                              k, parts[i]);
      control.advance(1);
    });
  }
  Found<T> found;
  std::size_t count = 0, size = 0;
  for (const auto& part : parts) count += part.ends.size(), size += part.vertices.size();
  found.counts.reserve(parts.size()), found.lengths.reserve(count), found.offsets.reserve(count + 1);
  found.vertices.reserve(size);
  for (auto& part : parts) {
    found.add(part);
    found.lengths.insert(found.lengths.end(), part.lengths.begin(), part.lengths.end());
    part = {};
  }
  return found;
}

template Found<std::int32_t> shortest(const graph::Csr&, const std::int32_t*, const Pairs<std::int32_t>&,
                                      std::int64_t, int, Control&);
template Found<std::int64_t> shortest(const graph::Csr&, const std::int64_t*, const Pairs<std::int64_t>&,
                                      std::int64_t, int, Control&);
template Found<double> shortest(const graph::Csr&, const double*, const Pairs<double>&, std::int64_t, int,
                                Control&);

}  // namespace apsp::simple_paths
